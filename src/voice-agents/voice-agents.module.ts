import { Module } from '@nestjs/common';
import { CarrierAccountsApiModule } from '../carrier-accounts/carrier-accounts-api.module.js';
import { CarriersModule } from '../carriers/carriers.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TeamVoiceAgentsService } from './team-voice-agents.service.js';
import { VoiceAgentsService } from './voice-agents.service.js';

/**
 * The agents that talk in calls: prompts, calling hours and carrier settings. In come operators' changes; out
 * go the agents, which triggers and firings read. Table: `voice_agents`.
 */
@Module({
  imports: [CarrierAccountsApiModule, CarriersModule, TeamsModule],
  providers: [VoiceAgentsService, TeamVoiceAgentsService],
  exports: [VoiceAgentsService, TeamVoiceAgentsService],
})
export class VoiceAgentsModule {}
