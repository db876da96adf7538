import { Module } from '@nestjs/common';
import { CampaignsModule } from './campaigns.module.js';
import { CampaignsController } from './records/campaigns.controller.js';
import { EnrollService } from './enrollment/enroll.service.js';
import { EnrollmentsController } from './records/enrollments.controller.js';
import { TeamCampaignsService } from './records/team-campaigns.service.js';

/**
 * Enrolling, and a team's campaigns and enrollments, by its key; only the API process imports it.
 * `enrollments` is no campaign's id, so its controller is the first.
 */
@Module({
  imports: [CampaignsModule],
  providers: [EnrollService, TeamCampaignsService],
  controllers: [EnrollmentsController, CampaignsController],
})
export class EnrollmentsApiModule {}
