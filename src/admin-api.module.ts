import { Module } from '@nestjs/common';
import { AuditAdminController } from './audit/audit-admin.controller.js';
import { CampaignVersionsAdminController } from './campaigns/admin/campaign-versions-admin.controller.js';
import { CampaignsAdminController } from './campaigns/admin/campaigns-admin.controller.js';
import { CampaignsModule } from './campaigns/campaigns.module.js';
import { CampaignResultsAdminController } from './campaigns/results/campaign-results-admin.controller.js';
import { EnrollmentsAdminController } from './campaigns/records/enrollments-admin.controller.js';
import { ForecastAdminController } from './campaigns/forecast/forecast-admin.controller.js';
import { ConsentsAdminController } from './consents/consents-admin.controller.js';
import { ConsentsModule } from './consents/consents.module.js';
import { CarrierAccountsApiModule } from './carrier-accounts/carrier-accounts-api.module.js';
import { PlatformErasuresAdminController } from './platform-erasures/platform-erasures-admin.controller.js';
import { PlatformErasuresApiModule } from './platform-erasures/platform-erasures-api.module.js';
import { CarrierAccountsAdminController } from './carrier-accounts/carrier-accounts-admin.controller.js';
import { DoNotCallAdminController } from './suppression/do-not-call-admin.controller.js';
import { DoNotCallModule } from './suppression/do-not-call.module.js';
import { PlatformDoNotCallAdminController } from './suppression/platform-do-not-call-admin.controller.js';
import { WhitelistAdminController } from './suppression/whitelist-admin.controller.js';
import { PlatformAdminController } from './platform/platform-admin.controller.js';
import { PlatformModule } from './platform/platform.module.js';
import { StopsAdminController } from './platform/stops/stops-admin.controller.js';
import { StopsModule } from './platform/stops/stops.module.js';
import { NumberPoolsAdminController } from './phone-numbers/number-pools-admin.controller.js';
import { PhoneNumbersAdminController } from './phone-numbers/phone-numbers-admin.controller.js';
import { PhoneNumbersModule } from './phone-numbers/phone-numbers.module.js';
import { ResumeModule } from './restore/resume.module.js';
import { ApiKeysAdminController } from './teams/api-keys-admin.controller.js';
import { TeamsAdminController } from './teams/teams-admin.controller.js';
import { TeamsModule } from './teams/teams.module.js';
import { VoiceAgentsAdminController } from './voice-agents/voice-agents-admin.controller.js';
import { VoiceAgentsModule } from './voice-agents/voice-agents.module.js';

/**
 * The operator's surface under `/api/admin`. In come requests with the operator's token; out go changes by
 * the services of the features. No tables. Only the API process imports it.
 */
@Module({
  imports: [
    TeamsModule,
    PhoneNumbersModule,
    VoiceAgentsModule,
    CarrierAccountsApiModule,
    PlatformErasuresApiModule,
    DoNotCallModule,
    ConsentsModule,
    CampaignsModule,
    PlatformModule,
    ResumeModule,
    StopsModule,
  ],
  controllers: [
    TeamsAdminController,
    ApiKeysAdminController,
    PhoneNumbersAdminController,
    NumberPoolsAdminController,
    VoiceAgentsAdminController,
    CarrierAccountsAdminController,
    PlatformErasuresAdminController,
    DoNotCallAdminController,
    PlatformDoNotCallAdminController,
    WhitelistAdminController,
    ConsentsAdminController,
    CampaignsAdminController,
    CampaignVersionsAdminController,
    ForecastAdminController,
    CampaignResultsAdminController,
    EnrollmentsAdminController,
    PlatformAdminController,
    StopsAdminController,
    AuditAdminController,
  ],
})
export class AdminApiModule {}
