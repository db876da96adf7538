import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { AuditRetentionModule } from './audit/audit-retention.module.js';
import { FiringModule } from './calls/firing.module.js';
import { EngineModule } from './campaigns/engine/engine.module.js';
import { ComplianceModule } from './compliance/compliance.module.js';
import { ConsentRetentionModule } from './consents/consent-retention.module.js';
import { ConfigModule } from './config/config.module.js';
import { type Config } from './config/config.js';
import { TransactionsModule } from './database/transactions.module.js';
import { PersonalDataModule } from './erasure/personal-data.module.js';
import { ImportWorkModule } from './imports/import-work.module.js';
import { JournalHeartbeatModule } from './journal/journal.module.js';
import { OutboxModule } from './events/outbox/outbox.module.js';
import { WebhooksModule } from './events/webhooks/webhooks.module.js';
import { HealthModule } from './operations/health.module.js';
import { PERSONAL_TABLES } from './personal-data.js';
import { PlatformErasureWorkModule } from './platform-erasures/platform-erasure-work.module.js';
import { RestoreWatchModule } from './restore/restore-check.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SuppressionRetentionModule } from './suppression/suppression-retention.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';

/** Called before the worker takes its first work. */
type OnBegin = () => void;
const ON_BEGIN = Symbol('ON_BEGIN');

/**
 * The worker process: it dials, and has no controller. In come wake-ups, due rows and answers of carriers;
 * out go dials and rows. It composes modules and owns no table.
 */
@Module({})
export class WorkerModule implements OnModuleInit {
  constructor(@Inject(ON_BEGIN) private readonly onBegin: OnBegin) {}

  static forRoot(config: Config, onBegin: OnBegin = () => undefined): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.forRoot(config),
        TransactionsModule,
        PersonalDataModule.forRoot(PERSONAL_TABLES),
        RestoreWatchModule,
        SecretsModule,
        // A worker refuses to start with a pack that it cannot read.
        ComplianceModule,
        JournalHeartbeatModule,
        TelemetryModule,
        // It starts the carriers, and therefore comes before the engine, which dials.
        FiringModule,
        EngineModule,
        OutboxModule,
        AuditRetentionModule,
        SuppressionRetentionModule,
        ConsentRetentionModule,
        PlatformErasureWorkModule,
        ImportWorkModule,
        WebhooksModule,
        HealthModule,
      ],
      providers: [{ provide: ON_BEGIN, useValue: onBegin }],
    };
  }

  /** The last hook of its kind, after every wait for Postgres. The hooks that follow begin to take work. */
  onModuleInit(): void {
    this.onBegin();
  }
}
