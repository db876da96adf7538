import { Module } from '@nestjs/common';
import { DialingModule } from '../../dialing/dialing.module.js';
import { CarriersModule } from '../../carriers/carriers.module.js';
import { ErasedNumbersModule } from '../../erasure/erased-numbers.module.js';
import { EngineService } from './engine.service.js';
import { DueEnrollmentsService } from './due-enrollments.service.js';
import { BlockedCampaigns } from './blocked-campaigns.js';
import { CampaignDials } from './campaign-dials.service.js';
import { EngineDials } from './engine-dials.service.js';
import { WeightedShares } from '../../fairness/weighted-shares.js';
import { SettlementModule } from './settlement.module.js';
import { SettlingEnrollments } from './settling-enrollments.service.js';
import { VersionMigrationService } from './version-migration.service.js';

/**
 * Runs the campaigns, in the worker process only. In come due enrollments; out go claimed calls, which
 * `DialService` dials, and the new states of the enrollments. Tables: `enrollments`, `enrollment_dials`, and
 * claimed calls in `call_requests`.
 */
@Module({
  imports: [DialingModule, CarriersModule, ErasedNumbersModule, SettlementModule],
  providers: [
    EngineService,
    WeightedShares,
    BlockedCampaigns,
    SettlingEnrollments,
    EngineDials,
    CampaignDials,
    VersionMigrationService,
    DueEnrollmentsService,
  ],
})
export class EngineModule {}
