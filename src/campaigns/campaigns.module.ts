import { Module } from '@nestjs/common';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { VoiceAgentsModule } from '../voice-agents/voice-agents.module.js';
import { CampaignVersionsService } from './admin/campaign-versions.service.js';
import { CampaignsService } from './admin/campaigns.service.js';
import { SettlementModule } from './engine/settlement.module.js';
import { WhyNotService } from './engine/why-not.service.js';
import { EnrollListService } from './records/enroll-list.service.js';
import { EnrollmentsService } from './records/enrollments.service.js';
import { CampaignResultsService } from './results/campaign-results.service.js';
import { ForecastFactsService } from './forecast/forecast-facts.service.js';
import { ForecastService } from './forecast/forecast.service.js';
import { VersionMigrationsService } from './admin/version-migrations.service.js';
import { CampaignStatsService } from './admin/campaign-stats.service.js';

/**
 * Campaigns, their versions and enrollments. In come definitions from the operator, and enrollments from
 * requests with a team's API key. Out go the enrollments with the version that they follow. Tables:
 * `campaigns`, `campaign_versions`, `enrollments`. `engine/`, in the worker, dials the enrollments.
 */
@Module({
  imports: [TeamsModule, VoiceAgentsModule, ErasedNumbersModule, SettlementModule],
  providers: [
    CampaignsService,
    CampaignVersionsService,
    VersionMigrationsService,
    EnrollmentsService,
    EnrollListService,
    WhyNotService,
    CampaignStatsService,
    CampaignResultsService,
    ForecastFactsService,
    ForecastService,
  ],
  exports: [
    CampaignsService,
    CampaignVersionsService,
    VersionMigrationsService,
    EnrollmentsService,
    EnrollListService,
    WhyNotService,
    SettlementModule,
    CampaignStatsService,
    CampaignResultsService,
    ForecastService,
  ],
})
export class CampaignsModule {}
