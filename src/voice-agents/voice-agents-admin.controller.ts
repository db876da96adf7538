import { Get, Param } from '@nestjs/common';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { VoiceAgentRoutes } from './voice-agent-routes.js';
import { type VoiceAgentResource } from './voice-agent.dto.js';

@OperatorController('teams/:teamId/voice-agents')
export class VoiceAgentsAdminController extends VoiceAgentRoutes {
  protected override readonly door = 'operator';

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<VoiceAgentResource>> {
    return this.agents.list(teamId, page);
  }
}
