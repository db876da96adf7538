import { Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import { Audited } from '../../audit/audited.decorator.js';
import { type Response } from 'express';
import { ExportOf, type ExportRequest, type PageReader, sendExport } from '../../http/export.js';
import { ResultBody } from '../../http/result-body.decorator.js';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { type ReadResult } from '../../http/call-result-fields.js';
import { ChangeScope, ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../../teams/team-auth.guard.js';
import { OWN_CALL_FILTERS, type OwnCallFilter } from './call-filters.js';
import { CallListService } from './call-list.service.js';
import { CALL_COLUMNS, CallsService, type CallView, type ListedCallView } from './calls.service.js';

/** A team's own calls, by its key. */
@Controller('api/calls')
@UseGuards(TeamAuthGuard)
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly lists: CallListService,
  ) {}

  @Get()
  @ReadScope('calls')
  list(
    @TeamId() teamId: string,
    @PageOf(OWN_CALL_FILTERS, { refusedByFilters: true }) page: PageRequest<OwnCallFilter>,
  ): Promise<Page<ListedCallView>> {
    return this.lists.list(teamId, page);
  }

  @Get('export')
  @Audited('call.exported')
  @ReadScope('calls')
  async export(
    @TeamId() teamId: string,
    @ExportOf(OWN_CALL_FILTERS) { format, bom, ...sent }: ExportRequest<OwnCallFilter>,
    @Res() response: Response,
  ): Promise<void> {
    const page: PageReader<ListedCallView> = (part) => this.lists.list(teamId, { ...part, ...sent });
    await sendExport(response, { format, bom, name: 'calls', columns: CALL_COLUMNS }, page);
  }

  @Get(':callRequestId')
  @ReadScope('calls')
  get(@TeamId() teamId: string, @Param('callRequestId') callRequestId: string): Promise<CallView> {
    return this.calls.get(teamId, callRequestId);
  }

  @Post(':callRequestId/cancel')
  @ChangeScope('calls')
  @HttpCode(200)
  cancel(@TeamId() teamId: string, @Param('callRequestId') callRequestId: string): Promise<CallView> {
    return this.calls.cancel(teamId, callRequestId);
  }

  @Post(':callRequestId/hang-up')
  @ChangeScope('calls')
  @HttpCode(202)
  hangUp(@TeamId() teamId: string, @Param('callRequestId') callRequestId: string): Promise<CallView> {
    return this.calls.hangUp(teamId, callRequestId);
  }

  @Post(':callRequestId/result')
  @ChangeScope('calls')
  @HttpCode(200)
  report(
    @TeamId() teamId: string,
    @Param('callRequestId') callRequestId: string,
    @ResultBody() result: ReadResult,
  ): Promise<CallView> {
    return this.calls.report(teamId, callRequestId, result);
  }
}
