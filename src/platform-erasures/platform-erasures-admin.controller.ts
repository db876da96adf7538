import { Get, Param } from '@nestjs/common';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { type PlatformErasureResource, PlatformErasuresService } from './platform-erasures.service.js';

@OperatorController('teams/:teamId/platform-erasures')
export class PlatformErasuresAdminController {
  constructor(private readonly erasures: PlatformErasuresService) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<PlatformErasureResource>> {
    return this.erasures.list(teamId, page);
  }
}
