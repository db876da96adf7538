import { Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { DoNotCallService } from './do-not-call.service.js';
import { HISTORY_FILTERS } from './history-page.js';
import {
  type AddedToDoNotCall,
  AddToDoNotCall,
  type DoNotCallResource,
  type LimitedDoNotCallResource,
  type SuppressionEntryResource,
} from './number-lists.dto.js';

@OperatorController('teams/:teamId/do-not-call')
export class DoNotCallAdminController {
  constructor(private readonly entries: DoNotCallService) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<DoNotCallResource>> {
    return this.entries.list(teamId, page);
  }

  @Post()
  add(
    @Param('teamId') teamId: string,
    @JsonBody(AddToDoNotCall) fields: AddToDoNotCall,
  ): Promise<AddedToDoNotCall> {
    return this.entries.add(teamId, fields);
  }

  @Get('history')
  history(
    @Param('teamId') teamId: string,
    @PageOf(HISTORY_FILTERS) page: PageRequest<'phoneNumber'>,
  ): Promise<Page<SuppressionEntryResource>> {
    return this.entries.history(teamId, page);
  }

  @Get('limited')
  limited(
    @Param('teamId') teamId: string,
    @PageOf() page: PageRequest,
  ): Promise<Page<LimitedDoNotCallResource>> {
    return this.entries.limited(teamId, page);
  }

  @Get(':phoneNumber')
  get(
    @Param('teamId') teamId: string,
    @Param('phoneNumber') phoneNumber: string,
  ): Promise<DoNotCallResource> {
    return this.entries.get(teamId, phoneNumber);
  }

  @Delete(':phoneNumber')
  @HttpCode(204)
  remove(
    @Param('teamId') teamId: string,
    @Param('phoneNumber') phoneNumber: string,
    @Query('scope') scope: unknown,
    @Query('campaignId') campaignId: unknown,
    @Query('agentId') agentId: unknown,
  ): Promise<void> {
    return this.entries.remove(teamId, phoneNumber, { scope, campaignId, agentId });
  }
}
