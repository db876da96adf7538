import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { HangUpsService } from '../calls/records/hang-ups.service.js';
import { CallListService } from '../calls/records/call-list.service.js';
import { CallsAdminService } from '../calls/records/calls-admin.service.js';
import { ReplayService } from '../calls/records/replay.service.js';
import { CallsService } from '../calls/records/calls.service.js';
import { CancellationsService } from '../calls/records/cancellations.service.js';
import { OperatorCallList } from '../calls/records/operator-list.service.js';
import { CallResultsService } from '../results/call-results.service.js';
import { ConcurrencySlots } from '../dialing/concurrency-slots/concurrency-slots.js';
import { OutcomeService } from '../dialing/outcome/outcome.service.js';
import { CarrierAccountsApiModule } from '../carrier-accounts/carrier-accounts-api.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { SettlementModule } from '../campaigns/engine/settlement.module.js';
import { type Config } from '../config/config.js';
import { ComplianceModule } from '../compliance/compliance.module.js';
import { ConfigModule } from '../config/config.module.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { createDataSource } from '../database/data-source.js';
import { sessionName } from '../database/session-name.js';
import { TransactionsModule } from '../database/transactions.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { PersonalDataModule } from '../erasure/personal-data.module.js';
import { ENTITIES } from '../entities.js';
import { DoNotCallJournalModule } from '../suppression/do-not-call-journal.module.js';
import { DoNotCallModule } from '../suppression/do-not-call.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { UploadsService } from '../imports/upload/uploads.service.js';
import { JournalModule } from '../journal/journal.module.js';
import { PeopleModule } from '../people/people.module.js';
import { PlatformErasuresApiModule } from '../platform-erasures/platform-erasures-api.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { StopsService } from '../platform/stops/stops.service.js';
import { PERSONAL_TABLES } from '../personal-data.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { TeamContactsService } from '../contacts/team-contacts.service.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { WebhookDeliveriesService } from '../events/webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../events/webhooks/webhook-endpoints.service.js';
import { WalkedLists } from '../lists/walked-lists.js';
import { EngineWakeUps, WebhookWakeUps } from '../queue/wake-ups.js';
import { CallQueue } from '../queue/call-queue.js';
import { RegistersModule } from '../registers/registers.module.js';
import { JournalReplay } from '../restore/journal-replay.service.js';
import { RestoreCheckModule } from '../restore/restore-check.module.js';
import { ResumeService } from '../restore/resume.service.js';
import { Reencryption } from '../secrets/reencryption.service.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { VoiceAgentsModule } from '../voice-agents/voice-agents.module.js';

/**
 * The TypeORM connections of the command line. A failed connection is not tried again, because a person waits
 * for the answer.
 */
@Global()
@Module({})
class CliDatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  static forRoot(config: Config): DynamicModule {
    const {
      databaseUrl,
      databasePoolSize: poolSize,
      databaseTransactionPooling: transactionPooling,
    } = config;
    const options = {
      entities: ENTITIES,
      poolSize,
      transactionPooling,
      applicationName: sessionName('outdial-cli'),
    };
    const useFactory = () => createDataSource(databaseUrl, options).initialize();
    return {
      module: CliDatabaseModule,
      providers: [{ provide: DataSource, useFactory }],
      exports: [DataSource],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
  }
}

/** The wake-up of a canceled call has no effect, so it need not be removed, and the CLI needs no Redis. */
const NO_QUEUE: Pick<CallQueue, 'forget'> = { forget: () => Promise.resolve() };

/** Offers no concurrency slots, because the CLI cannot wake calls. The sweeper offers them. */
const NO_SLOT_OFFERS: Pick<ConcurrencySlots, 'offer'> = { offer: () => Promise.resolve(0) };

/** Without a wake-up, the worker finds the enrollment of an ended call within `SWEEPER_INTERVAL_MS`. */
const NO_ENGINE: EngineWakeUps = { wake: () => undefined };

/** Without a wake-up, the worker finds due deliveries within `SWEEPER_INTERVAL_MS`. */
const NO_DELIVERIES: WebhookWakeUps = { wake: () => undefined };

/**
 * What the controllers of the API need, without HTTP. In come commands, as requests of the API; out go rows, and
 * records in the journal. No tables of its own. It needs only Postgres.
 */
@Module({})
export class CliModule {
  constructor(readonly module: ModuleRef) {}

  static forRoot(config: Config): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ConfigModule.forRoot(config),
        CliDatabaseModule.forRoot(config),
        TransactionsModule,
        PersonalDataModule.forRoot(PERSONAL_TABLES, { keyIsOptional: true }),
        AuditModule,
        SecretsModule,
        ComplianceModule,
        ErasedNumbersModule,
        TelemetryModule,
        TeamsModule,
        PhoneNumbersModule,
        VoiceAgentsModule,
        ConsentsModule,
        CarrierAccountsApiModule,
        PlatformErasuresApiModule,
        DoNotCallModule,
        DoNotCallJournalModule,
        CampaignsModule,
        SettlementModule,
        ImportsModule,
        ContactsModule,
        PeopleModule,
        PlatformModule,
        RegistersModule,
        JournalModule,
        RestoreCheckModule,
      ],
      providers: [
        CallListService,
        CallResultsService,
        CallsService,
        CancellationsService,
        HangUpsService,
        CallsAdminService,
        ReplayService,
        OperatorCallList,
        OutcomeService,
        ErasureService,
        TeamContactsService,
        UploadsService,
        WalkedLists,
        WebhookEndpointsService,
        WebhookDeliveriesService,
        { provide: WebhookWakeUps, useValue: NO_DELIVERIES },
        JournalReplay,
        Reencryption,
        ResumeService,
        StopsService,
        { provide: CallQueue, useValue: NO_QUEUE },
        { provide: ConcurrencySlots, useValue: NO_SLOT_OFFERS },
        { provide: EngineWakeUps, useValue: NO_ENGINE },
      ],
    };
  }
}
