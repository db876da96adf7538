import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { VoiceAgentsService } from './voice-agents.service.js';

@Module({ imports: [TeamsModule], providers: [VoiceAgentsService], exports: [VoiceAgentsService] })
export class VoiceAgentsModule {}
