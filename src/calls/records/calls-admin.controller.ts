import { Get, HttpCode, Param, Post } from '@nestjs/common';
import { JsonBody } from '../../http/json-body.decorator.js';
import { OperatorController } from '../../http/operator-controller.decorator.js';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { CALL_FILTERS, type CallFilter } from './call-filters.js';
import { type CallListItem, type CallResource, CallsAdminService } from './calls-admin.service.js';
import { CancelCalls, type Cancellations } from './cancel-calls.dto.js';
import { Resolution } from './resolution.dto.js';

@OperatorController('teams/:teamId/calls')
export class CallsAdminController {
  constructor(private readonly calls: CallsAdminService) {}

  @Get()
  list(
    @Param('teamId') teamId: string,
    @PageOf(CALL_FILTERS) page: PageRequest<CallFilter>,
  ): Promise<Page<CallListItem>> {
    return this.calls.list(teamId, page);
  }

  @Get(':id')
  get(@Param('teamId') teamId: string, @Param('id') id: string): Promise<CallResource> {
    return this.calls.get(teamId, id);
  }

  @Post('cancel')
  @HttpCode(200)
  cancelMatching(
    @Param('teamId') teamId: string,
    @JsonBody(CancelCalls) which: CancelCalls,
  ): Promise<Cancellations> {
    return this.calls.cancelMatching(teamId, which);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  cancel(@Param('teamId') teamId: string, @Param('id') id: string): Promise<CallResource> {
    return this.calls.cancel(teamId, id);
  }

  @Post(':id/hang-up')
  @HttpCode(202)
  hangUp(@Param('teamId') teamId: string, @Param('id') id: string): Promise<CallResource> {
    return this.calls.hangUp(teamId, id);
  }

  @Post(':id/resolve')
  resolve(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @JsonBody(Resolution) resolution: Resolution,
  ): Promise<CallResource> {
    return this.calls.resolve(teamId, id, resolution);
  }
}
