import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { CampaignsService } from './campaigns.service.js';

@Module({ imports: [TeamsModule], providers: [CampaignsService], exports: [CampaignsService] })
export class CampaignsModule {}
