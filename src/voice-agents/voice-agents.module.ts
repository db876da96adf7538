import { Module } from '@nestjs/common';
import { CarriersModule } from '../carriers/carriers.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { VoiceAgentsService } from './voice-agents.service.js';

@Module({
  imports: [CarriersModule, TeamsModule],
  providers: [VoiceAgentsService],
  exports: [VoiceAgentsService],
})
export class VoiceAgentsModule {}
