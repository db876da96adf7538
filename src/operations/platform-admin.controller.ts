import { Post } from '@nestjs/common';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PlatformService } from './platform.service.js';

@OperatorController('')
export class PlatformAdminController {
  constructor(private readonly platform: PlatformService) {}

  @Post('pause')
  pause(): Promise<{ paused: boolean }> {
    return this.platform.setPaused(true);
  }

  @Post('resume')
  resume(): Promise<{ paused: boolean }> {
    return this.platform.setPaused(false);
  }
}
