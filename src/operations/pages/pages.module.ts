import { Module } from '@nestjs/common';
import { CampaignsModule } from '../../campaigns/campaigns.module.js';
import { ContactsModule } from '../../contacts/contacts.module.js';
import { CallsApiModule } from '../../calls/calls-api.module.js';
import { DoNotCallModule } from '../../suppression/do-not-call.module.js';
import { ErasedNumbersModule } from '../../erasure/erased-numbers.module.js';
import { ErasureModule } from '../../erasure/erasure.module.js';
import { ResumeModule } from '../../restore/resume.module.js';
import { TeamsModule } from '../../teams/teams.module.js';
import { PlatformModule } from '../platform.module.js';
import { StopsModule } from '../stops/stops.module.js';
import { OperationsAccessModule } from '../access/operations-access.module.js';
import { AssetsController } from './assets.controller.js';
import { CallListPageService } from './call-list-page.service.js';
import { CallPageService } from './call-page.service.js';
import { CancelPageService } from './cancel-page.service.js';
import { CallPagesController } from './calls.controller.js';
import { CampaignPageService } from './campaign-page.service.js';
import { CampaignPagesController } from './campaigns.controller.js';
import { ContactPagesController } from './contacts.controller.js';
import { DoNotCallPageService } from './do-not-call-page.service.js';
import { EnrollmentPageService } from './enrollment-page.service.js';
import { EnrollmentPagesController } from './enrollments.controller.js';
import { ErasePageService } from './erase-page.service.js';
import { ForecastPageService } from './forecast-page.service.js';
import { ForecastPagesController } from './forecasts.controller.js';
import { MigrationPageService } from './migration-page.service.js';
import { NumberPageService } from './number-page.service.js';
import { NumberPagesController } from './numbers.controller.js';
import { OverviewCounts } from './overview-counts.service.js';
import { OverviewController } from './overview.controller.js';
import { OverviewService } from './overview.service.js';
import { PageFrame } from './page-frame.service.js';
import { UnknownPagesController } from './unknown.controller.js';

/**
 * The operations pages at `/admin`. In come requests and forms of operations staff; out go pages without
 * scripts. It reads the tables of the features through their services and by its own statements, and owns no
 * table. Only the API process imports it.
 */
@Module({
  imports: [
    OperationsAccessModule,
    CallsApiModule,
    CampaignsModule,
    ContactsModule,
    DoNotCallModule,
    ErasedNumbersModule,
    ErasureModule,
    TeamsModule,
    PlatformModule,
    ResumeModule,
    StopsModule,
  ],
  providers: [
    PageFrame,
    OverviewCounts,
    OverviewService,
    CallListPageService,
    CallPageService,
    CancelPageService,
    CampaignPageService,
    EnrollmentPageService,
    MigrationPageService,
    ForecastPageService,
    NumberPageService,
    DoNotCallPageService,
    ErasePageService,
  ],
  controllers: [
    AssetsController,
    OverviewController,
    CallPagesController,
    CampaignPagesController,
    EnrollmentPagesController,
    ForecastPagesController,
    ContactPagesController,
    NumberPagesController,
    // Its route matches every address, so it is the last.
    UnknownPagesController,
  ],
})
export class PagesModule {}
