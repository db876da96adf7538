import { HttpCode, Post } from '@nestjs/common';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PlatformService } from './platform.service.js';

@OperatorController('')
export class PlatformAdminController {
  constructor(private readonly platform: PlatformService) {}

  @Post('pause')
  @HttpCode(200)
  pause(): Promise<{ paused: boolean }> {
    return this.platform.setPaused(true);
  }

  @Post('resume')
  @HttpCode(200)
  resume(): Promise<{ paused: boolean }> {
    return this.platform.setPaused(false);
  }
}
