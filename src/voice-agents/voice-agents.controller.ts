import { Get } from '@nestjs/common';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { ReadScope } from '../teams/key-scope.decorator.js';
import { TeamId } from '../teams/team-auth.guard.js';
import { TeamController } from '../teams/team-controller.decorator.js';
import { type TeamVoiceAgent, TeamVoiceAgentsService } from './team-voice-agents.service.js';
import { VoiceAgentRoutes } from './voice-agent-routes.js';
import { VoiceAgentsService } from './voice-agents.service.js';

/** The voice agents of a team, for requests with the team's API key. */
@TeamController('voice-agents')
export class VoiceAgentsController extends VoiceAgentRoutes {
  protected override readonly door = 'team';

  constructor(
    agents: VoiceAgentsService,
    private readonly own: TeamVoiceAgentsService,
  ) {
    super(agents);
  }

  @Get()
  @ReadScope('agents', 'calls')
  list(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<TeamVoiceAgent>> {
    return this.own.list(teamId, page);
  }
}
