import { type DynamicModule, Module } from '@nestjs/common';
import { AdminApiModule } from './admin-api.module.js';
import { AuditModule } from './audit/audit.module.js';
import { CarrierCallbacksModule } from './carrier-callbacks/carrier-callbacks.module.js';
import { CallsApiModule } from './calls/calls-api.module.js';
import { EnrollmentsApiModule } from './campaigns/enrollments-api.module.js';
import { ComplianceModule } from './compliance/compliance.module.js';
import { type Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ContactsApiModule } from './contacts/contacts-api.module.js';
import { DatabaseModule } from './database/database.module.js';
import { TransactionsModule } from './database/transactions.module.js';
import { ENTITIES } from './entities.js';
import { ErasureApiModule } from './erasure/erasure-api.module.js';
import { PersonalDataModule } from './erasure/personal-data.module.js';
import { EventsApiModule } from './events/events-api.module.js';
import { WebhooksApiModule } from './events/webhooks/webhooks-api.module.js';
import { FailedAuthenticationsModule } from './http/failed-authentications.module.js';
import { ImportsApiModule } from './imports/imports-api.module.js';
import { JournalHeartbeatModule } from './journal/journal.module.js';
import { DocsModule } from './openapi/docs.module.js';
import { PERSONAL_TABLES } from './personal-data.js';
import { HealthController } from './operations/health.controller.js';
import { HealthModule } from './operations/health.module.js';
import { MetricsController } from './operations/metrics.controller.js';
import { BoardModule } from './operations/board/board.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { RateLimitModule } from './rate-limit/rate-limit.module.js';
import { RestoreCheckModule } from './restore/restore-check.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { TeamApiModule } from './team-api.module.js';
import { KnownKeysModule } from './teams/known-keys.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';

/**
 * The API process: every controller, and nothing that dials. In come HTTP requests; out go responses, rows
 * and wake-ups. It composes modules and owns no table.
 */
@Module({})
export class ApiModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forRoot(ENTITIES),
        TransactionsModule,
        PersonalDataModule.forRoot(PERSONAL_TABLES),
        RestoreCheckModule,
        AuditModule,
        SecretsModule,
        ComplianceModule,
        JournalHeartbeatModule,
        TelemetryModule,
        FailedAuthenticationsModule,
        KnownKeysModule,
        RateLimitModule,
        HealthModule,
        CallsApiModule,
        ContactsApiModule,
        ErasureApiModule,
        ImportsApiModule,
        EnrollmentsApiModule,
        EventsApiModule,
        CarrierCallbacksModule.forRoot(config),
        TeamApiModule,
        WebhooksApiModule,
        AdminApiModule,
        BoardModule,
        DashboardModule,
        DocsModule,
      ],
      controllers: [HealthController, MetricsController],
    };
  }
}
