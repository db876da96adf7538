import { Module } from '@nestjs/common';
import { CampaignsModule } from './campaigns.module.js';
import { CampaignVersionsController } from './admin/campaign-versions.controller.js';
import { ForecastController } from './forecast/forecast.controller.js';
import { CampaignEnrollmentsController } from './records/campaign-enrollments.controller.js';
import { CampaignResultsController } from './results/campaign-results.controller.js';
import { CampaignsController } from './records/campaigns.controller.js';
import { EnrollService } from './enrollment/enroll.service.js';
import { EnrollmentsController } from './records/enrollments.controller.js';
import { TeamCampaignsService } from './records/team-campaigns.service.js';

/**
 * The HTTP side of campaigns, their versions and enrollments, for requests with a team's API key. In come
 * requests to enroll, and reads and changes of campaigns and enrollments. Out go enrollments, campaigns and
 * their counts. Tables: those of CampaignsModule. Only the API process imports it.
 *
 * In a path, `enrollments` must not be read as the id of a campaign, so EnrollmentsController is first.
 */
@Module({
  imports: [CampaignsModule],
  providers: [EnrollService, TeamCampaignsService],
  controllers: [
    EnrollmentsController,
    CampaignEnrollmentsController,
    CampaignsController,
    CampaignResultsController,
    CampaignVersionsController,
    ForecastController,
  ],
})
export class EnrollmentsApiModule {}
