import { Get, Patch, Post, Query } from '@nestjs/common';
import { invalid } from '../http/app-error.js';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { type Restore, ResumeService } from '../restore/resume.service.js';
import { type PlatformResource, UpdatePlatform } from './platform.dto.js';
import { PlatformService } from './platform.service.js';

@OperatorController('')
export class PlatformAdminController {
  constructor(
    private readonly platform: PlatformService,
    private readonly resumes: ResumeService,
  ) {}

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
    return this.platform.pause();
  }

  @Post('resume')
  resume(@Query('force') force: unknown): Promise<{ paused: boolean }> {
    if (force !== undefined && force !== 'true' && force !== 'false') {
      throw invalid('force must be true or false');
    }
    return this.resumes.resume(force === 'true');
  }

  @Get('restore')
  async restore(): Promise<{ restore: Restore | null }> {
    return { restore: await this.resumes.restore() };
  }
}
