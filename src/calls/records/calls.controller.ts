import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ResultBody } from '../../http/result-body.decorator.js';
import { type ReadResult } from '../../http/call-result-fields.js';
import { TeamAuthGuard, TeamId } from '../../teams/team-auth.guard.js';
import { CallsService, type CallView } from './calls.service.js';

/** A team's own calls, by its key. */
@Controller('api/calls/:callRequestId')
@UseGuards(TeamAuthGuard)
export class CallsController {
  constructor(private readonly calls: CallsService) {}

  @Get()
  get(@TeamId() teamId: string, @Param('callRequestId') callRequestId: string): Promise<CallView> {
    return this.calls.get(teamId, callRequestId);
  }

  @Post('cancel')
  @HttpCode(200)
  cancel(@TeamId() teamId: string, @Param('callRequestId') callRequestId: string): Promise<CallView> {
    return this.calls.cancel(teamId, callRequestId);
  }

  @Post('result')
  @HttpCode(200)
  report(
    @TeamId() teamId: string,
    @Param('callRequestId') callRequestId: string,
    @ResultBody() result: ReadResult,
  ): Promise<CallView> {
    return this.calls.report(teamId, callRequestId, result);
  }
}
