import { Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { ChangeScope, ReadScope } from '../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import { HISTORY_FILTERS } from './history-page.js';
import {
  type AddedToDoNotCall,
  AddToDoNotCall,
  type DoNotCallResource,
  type LimitedDoNotCallResource,
  type SuppressionEntryResource,
} from './number-lists.dto.js';
import { TeamDoNotCallService } from './team-do-not-call.service.js';

/** The Do Not Call list of a team, for requests with the team's API key. */
@Controller('api/do-not-call')
@UseGuards(TeamAuthGuard)
export class DoNotCallController {
  constructor(private readonly entries: TeamDoNotCallService) {}

  @Get()
  @ReadScope('suppressions')
  list(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<DoNotCallResource>> {
    return this.entries.list(teamId, page);
  }

  @Get('history')
  @ReadScope('suppressions')
  history(
    @TeamId() teamId: string,
    @PageOf(HISTORY_FILTERS) page: PageRequest<'phoneNumber'>,
  ): Promise<Page<SuppressionEntryResource>> {
    return this.entries.history(teamId, page);
  }

  @Get('limited')
  @ReadScope('suppressions')
  limited(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<LimitedDoNotCallResource>> {
    return this.entries.limited(teamId, page);
  }

  @Post()
  @ChangeScope('suppressions')
  add(@TeamId() teamId: string, @JsonBody(AddToDoNotCall) fields: AddToDoNotCall): Promise<AddedToDoNotCall> {
    return this.entries.add(teamId, fields);
  }

  @Delete(':phoneNumber')
  @ChangeScope('suppressions')
  @HttpCode(204)
  remove(
    @TeamId() teamId: string,
    @Param('phoneNumber') phoneNumber: string,
    @Query('scope') scope: unknown,
    @Query('campaignId') campaignId: unknown,
    @Query('agentId') agentId: unknown,
  ): Promise<void> {
    return this.entries.remove(teamId, phoneNumber, { scope, campaignId, agentId });
  }
}
