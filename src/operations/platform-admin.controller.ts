import { Get, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { type PlatformResource, UpdatePlatform } from './platform.dto.js';
import { PlatformService } from './platform.service.js';

@OperatorController('')
export class PlatformAdminController {
  constructor(private readonly platform: PlatformService) {}

  @Get('platform')
  get(): Promise<PlatformResource> {
    return this.platform.get();
  }

  @Patch('platform')
  update(@JsonBody(UpdatePlatform) fields: UpdatePlatform): Promise<PlatformResource> {
    return this.platform.update(fields);
  }

  @Post('pause')
  pause(): Promise<{ paused: boolean }> {
    return this.platform.setPaused(true);
  }

  @Post('resume')
  resume(): Promise<{ paused: boolean }> {
    return this.platform.setPaused(false);
  }
}
