import { Module } from '@nestjs/common';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { PacksModule } from '../compliance/packs/packs.module.js';
import { ContactsApiModule } from '../contacts/contacts-api.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { CallsApiModule } from '../calls/calls-api.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { DoNotCallModule } from '../suppression/do-not-call.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { EventsApiModule } from '../events/events-api.module.js';
import { WebhooksApiModule } from '../events/webhooks/webhooks-api.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { RegistersModule } from '../registers/registers.module.js';
import { ResumeModule } from '../restore/resume.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { VoiceAgentsModule } from '../voice-agents/voice-agents.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { StopsModule } from '../platform/stops/stops.module.js';
import { CarrierAccountsApiModule } from '../carrier-accounts/carrier-accounts-api.module.js';
import { CarriersModule } from '../carriers/carriers.module.js';
import { HealthModule } from '../operations/health.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { PeopleModule } from '../people/people.module.js';
import { AssetsController } from './design/assets.controller.js';
import { PlatformAuditController, TeamAuditController } from './audit/audit.controller.js';
import { AuditPageService } from './audit/audit-page.service.js';
import { AgentPageService } from './agents/agent-page.service.js';
import { AgentPagesController } from './agents/agents.controller.js';
import { AgentPreviews } from './agents/agent-preview.service.js';
import { AgentsPageService } from './agents/agents-page.service.js';
import { PageTestCalls } from './getting-started/page-test-calls.service.js';
import { CallListPageService } from './calls/call-list-page.service.js';
import { CallPageService } from './calls/call-page.service.js';
import { CancelPageService } from './calls/cancel-page.service.js';
import {
  CallListPagesController,
  CallPagesController,
  PlatformCallPagesController,
} from './calls/calls.controller.js';
import { CampaignPageService } from './campaigns/campaign-page.service.js';
import { CampaignSettingsController } from './campaigns/campaign-settings.controller.js';
import { CampaignSettingsPageService } from './campaigns/settings-page.service.js';
import { CampaignListPagesController, CampaignPagesController } from './campaigns/campaigns.controller.js';
import { ConsentPagesController } from './consents/consents.controller.js';
import { ConsentsPageService } from './consents/consents-page.service.js';
import { ContactFormPageService } from './contacts/contact-form-page.service.js';
import { ContactListPageService } from './contacts/contact-list-page.service.js';
import { ContactPageService } from './contacts/contact-page.service.js';
import { ContactPagesController } from './contacts/contacts.controller.js';
import { DoNotCallPageService } from './numbers/do-not-call-page.service.js';
import { EnrollPageService } from './enrollments/enroll-page.service.js';
import { EnrollPagesController } from './enrollments/enroll.controller.js';
import { EnrollmentPageService } from './enrollments/enrollment-page.service.js';
import { EnrollmentPagesController } from './enrollments/enrollments.controller.js';
import { ErasePageService } from './contacts/erase-page.service.js';
import { ForecastPageService } from './forecasts/forecast-page.service.js';
import { ForecastPagesController } from './forecasts/forecasts.controller.js';
import { GettingStartedController } from './getting-started/getting-started.controller.js';
import { GettingStartedService } from './getting-started/getting-started.service.js';
import { ImportPageService } from './imports/import-page.service.js';
import { NewImportService } from './imports/new-import.service.js';
import { PreviewService } from './imports/preview.service.js';
import { ImportPagesController } from './imports/imports.controller.js';
import { LiveController } from './live/live.controller.js';
import { LivePages } from './live/live-pages.service.js';
import { MigrationPageService } from './campaigns/migration-page.service.js';
import { CallerNumberPagesController } from './numbers/caller-numbers.controller.js';
import { CallerNumbersPageService } from './numbers/caller-numbers-page.service.js';
import { NumberPageService } from './numbers/number-page.service.js';
import {
  DoNotCallPagesController,
  NumberPagesController,
  PlatformDoNotCallPagesController,
} from './numbers/numbers.controller.js';
import { WhitelistPagesController } from './numbers/whitelist.controller.js';
import { WhitelistPageService } from './numbers/whitelist-page.service.js';
import { OverviewCounts } from './overview/overview-counts.service.js';
import { PlatformOverviewController, TeamOverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { SearchPagesController } from './search/search.controller.js';
import { SearchService } from './search/search.service.js';
import { PageAccess } from './frame/page-access.service.js';
import { PageFrame } from './frame/page-frame.service.js';
import { GalleryController } from './gallery/gallery.controller.js';
import { OldAddressesController } from './frame/old-addresses.controller.js';
import { HealthPageService } from './platform/health-page.service.js';
import { OperatorsPageService } from './platform/operators-page.service.js';
import { OperatorPagesController } from './platform/operators.controller.js';
import { QueuesPageService } from './platform/queues-page.service.js';
import { PlatformCarriersService } from './platform/platform-carriers.service.js';
import { PlatformPagesController } from './platform/platform.controller.js';
import { TeamsPageService } from './platform/teams-page.service.js';
import { ApiKeysPageService } from './settings/api-keys-page.service.js';
import { ApiKeyPagesController } from './settings/api-keys.controller.js';
import { MemberPagesController } from './settings/members.controller.js';
import { MembersPageService } from './settings/members-page.service.js';
import { SettingsPagesController } from './settings/settings.controller.js';
import { CarrierAccountsPageService } from './settings/carrier-accounts-page.service.js';
import { TeamCarriersPageService } from './settings/team-carriers-page.service.js';
import { CompliancePageService } from './settings/compliance-page.service.js';
import { TeamSettingsPageService } from './settings/team-settings-page.service.js';
import { VersionEditorService } from './versions/version-editor.service.js';
import { VersionPageService } from './versions/version-page.service.js';
import { VersionPagesController } from './versions/versions.controller.js';
import { DeliveryPageService } from './webhooks/delivery-page.service.js';
import { DeliveryPagesController } from './webhooks/deliveries.controller.js';
import { WebhookPagesService } from './webhooks/webhook-pages.service.js';
import { WebhookPagesController } from './webhooks/webhooks.controller.js';
import { UnknownPagesController } from './frame/unknown.controller.js';
import { AccountController } from './sign-in/account.controller.js';
import { BrowserSession } from './sign-in/browser-session.service.js';
import { CodeController } from './sign-in/code.controller.js';
import { KnownBrowsers } from './sign-in/known-browsers.service.js';
import { LinksController } from './sign-in/links.controller.js';
import { PendingSignIns } from './sign-in/pending-sign-ins.service.js';
import { SecondFactorController } from './sign-in/second-factor.controller.js';
import { OpenIdAttempts } from './sign-in/openid-attempts.service.js';
import { OpenIdController } from './sign-in/openid.controller.js';
import { ForgottenController } from './sign-in/forgotten.controller.js';
import { SignInPages } from './sign-in/sign-in-pages.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { StartService } from './sign-in/start.service.js';

/**
 * The dashboard: pages of teams at `/t/{teamId}`, and of the platform at `/platform`. In come requests and forms of
 * people who are signed in; out go pages that need no script. It reads the tables of the features through their
 * services and by its own statements, and owns no table. Only the API process imports it.
 */
@Module({
  imports: [
    PeopleModule,
    CallsApiModule,
    CallsModule,
    CampaignsModule,
    ContactsModule,
    ContactsApiModule,
    ConsentsModule,
    DoNotCallModule,
    ErasedNumbersModule,
    ErasureModule,
    ImportsModule,
    EventsApiModule,
    WebhooksApiModule,
    TeamsModule,
    PhoneNumbersModule,
    VoiceAgentsModule,
    PacksModule,
    PlatformModule,
    RegistersModule,
    ResumeModule,
    StopsModule,
    CarriersModule,
    CarrierAccountsApiModule,
    HealthModule,
    QueueModule,
  ],
  providers: [
    PageAccess,
    PageFrame,
    KnownBrowsers,
    PendingSignIns,
    BrowserSession,
    OpenIdAttempts,
    SignInPages,
    StartService,
    LivePages,
    OverviewCounts,
    OverviewService,
    GettingStartedService,
    SearchService,
    CallListPageService,
    CallPageService,
    CancelPageService,
    CampaignPageService,
    CampaignSettingsPageService,
    VersionEditorService,
    VersionPageService,
    EnrollPageService,
    EnrollmentPageService,
    MigrationPageService,
    ForecastPageService,
    AgentsPageService,
    AgentPageService,
    AgentPreviews,
    PageTestCalls,
    NumberPageService,
    CallerNumbersPageService,
    DoNotCallPageService,
    WhitelistPageService,
    ConsentsPageService,
    ContactListPageService,
    ContactFormPageService,
    ContactPageService,
    ErasePageService,
    ImportPageService,
    NewImportService,
    WebhookPagesService,
    DeliveryPageService,
    PreviewService,
    ApiKeysPageService,
    TeamSettingsPageService,
    CompliancePageService,
    CarrierAccountsPageService,
    TeamCarriersPageService,
    MembersPageService,
    OperatorsPageService,
    TeamsPageService,
    PlatformCarriersService,
    HealthPageService,
    QueuesPageService,
    AuditPageService,
  ],
  controllers: [
    AssetsController,
    SignInController,
    CodeController,
    ForgottenController,
    SecondFactorController,
    OpenIdController,
    LinksController,
    AccountController,
    TeamOverviewController,
    PlatformOverviewController,
    LiveController,
    GettingStartedController,
    SearchPagesController,
    CallListPagesController,
    CallPagesController,
    PlatformCallPagesController,
    CampaignListPagesController,
    // `new` is no id of a campaign.
    CampaignSettingsController,
    CampaignPagesController,
    VersionPagesController,
    EnrollPagesController,
    EnrollmentPagesController,
    ForecastPagesController,
    ContactPagesController,
    AgentPagesController,
    NumberPagesController,
    CallerNumberPagesController,
    DoNotCallPagesController,
    PlatformDoNotCallPagesController,
    WhitelistPagesController,
    ConsentPagesController,
    ImportPagesController,
    WebhookPagesController,
    DeliveryPagesController,
    GalleryController,
    OldAddressesController,
    ApiKeyPagesController,
    SettingsPagesController,
    MemberPagesController,
    OperatorPagesController,
    PlatformPagesController,
    TeamAuditController,
    PlatformAuditController,
    // Its route matches every address, so it is the last.
    UnknownPagesController,
  ],
})
export class DashboardModule {}
