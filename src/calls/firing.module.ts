import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { SettlementModule } from '../campaigns/engine/settlement.module.js';
import { CarriersModule } from '../carriers/carriers.module.js';
import { Config } from '../config/config.js';
import { DoNotCallJournalModule } from '../suppression/do-not-call-journal.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { RedisModule } from '../queue/redis.module.js';
import { WorkerConnection } from '../queue/worker-connection.js';
import { WorkerRedisModule } from '../queue/worker-redis.module.js';
import { DialingModule } from '../dialing/dialing.module.js';
import { DialProcessor } from './fire/dial.processor.js';
import { FiringLifecycle } from './firing.lifecycle.js';
import { ExpiryService } from './recovery/expiry.service.js';
import { FireService } from './fire/fire.service.js';
import { CallResultsService } from '../results/call-results.service.js';
import { LostJobsService } from './recovery/lost-jobs.service.js';
import { RedisLossService } from './recovery/redis-loss.service.js';
import { RetentionService } from './recovery/retention.service.js';
import { SweeperService } from './recovery/sweeper.service.js';
import { ZoneMovesService } from './recovery/zone-moves.service.js';
import { ReconciliationService } from './recovery/reconciliation.service.js';

/**
 * Fires and recovers triggered calls, only in the worker process. In come wake-ups from the queue and answers of
 * carriers; out go dials, further wake-ups and outcomes. Tables: `call_requests`, `call_details`,
 * `sweeper_runs`, and counts in `plan_usage`. The retention also removes old rows of `call_results`,
 * `enrollment_dials` and `idempotency_keys`.
 */
@Module({
  imports: [
    DialingModule,
    ErasedNumbersModule,
    DoNotCallJournalModule,
    SettlementModule,
    QueueModule,
    RedisModule,
    WorkerRedisModule,
    CarriersModule,
    BullModule.forRootAsync({
      imports: [WorkerRedisModule],
      inject: [WorkerConnection, Config],
      useFactory: ({ connection }: WorkerConnection, { redisPrefix }: Config) => ({
        connection,
        prefix: redisPrefix,
      }),
    }),
  ],
  providers: [
    CallResultsService,
    FireService,
    ReconciliationService,
    LostJobsService,
    ExpiryService,
    RedisLossService,
    RetentionService,
    ZoneMovesService,
    SweeperService,
    DialProcessor,
    FiringLifecycle,
  ],
  exports: [FireService, SweeperService],
})
export class FiringModule {}
