import { Controller, Get, UseGuards } from '@nestjs/common';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { ReadScope } from '../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import { type TeamVoiceAgent, TeamVoiceAgentsService } from './team-voice-agents.service.js';

/** The voice agents of a team, for requests with the team's API key. */
@Controller('api/voice-agents')
@UseGuards(TeamAuthGuard)
export class VoiceAgentsController {
  constructor(private readonly agents: TeamVoiceAgentsService) {}

  @Get()
  @ReadScope('calls')
  list(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<TeamVoiceAgent>> {
    return this.agents.list(teamId, page);
  }
}
