import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { SettlementModule } from '../campaigns/engine/settlement.module.js';
import { CarriersModule } from '../carriers/carriers.module.js';
import { Config } from '../config/config.js';
import { Pacer } from '../pacing/pacer.js';
import { PacerService } from '../pacing/pacer.service.js';
import { DoNotCallJournalModule } from '../do-not-call/do-not-call-journal.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { WorkerEngineWakeUps } from '../queue/engine-channel.js';
import { EngineWakeUps } from '../queue/wake-ups.js';
import { QueueModule } from '../queue/queue.module.js';
import { RedisModule } from '../queue/redis.module.js';
import { WorkerConnection } from '../queue/job-loops.js';
import { WorkerRedisModule } from '../queue/worker-redis.module.js';
import { DialProcessor, DialProcessorSettings } from './fire/dial.processor.js';
import { DialService } from './dial/dial.service.js';
import { DialingLifecycle } from './dialing.lifecycle.js';
import { ExpiryService } from './recovery/expiry.service.js';
import { FireService } from './fire/fire.service.js';
import { ConcurrencySlots } from './dial/concurrency-slots.js';
import { CallTimeLimit, ConcurrencySlotsService } from './dial/concurrency-slots.service.js';
import { CallResultsService } from './results/call-results.service.js';
import { LostJobsService } from './recovery/lost-jobs.service.js';
import { OutcomeService } from './dial/outcome.service.js';
import { RedisLossService } from './recovery/redis-loss.service.js';
import { RetentionService } from './recovery/retention.service.js';
import { SweeperService } from './recovery/sweeper.service.js';
import { ZoneMovesService } from './recovery/zone-moves.service.js';
import { ReconciliationService } from './recovery/reconciliation.service.js';

/**
 * Firing, dialing and recovery, only in the worker process. In come wake-ups from the queue and answers of
 * carriers; out go dials, further wake-ups and outcomes. Tables: `call_requests`, `call_details`,
 * `sweeper_runs`, and counts in `plan_usage`. The retention also removes old rows of `call_results`,
 * `enrollment_dials` and `idempotency_keys`.
 */
@Module({
  imports: [
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
    { provide: CallTimeLimit, useExisting: Config },
    ConcurrencySlotsService,
    { provide: ConcurrencySlots, useExisting: ConcurrencySlotsService },
    WorkerEngineWakeUps,
    { provide: EngineWakeUps, useExisting: WorkerEngineWakeUps },
    CallResultsService,
    OutcomeService,
    { provide: Pacer, useClass: PacerService },
    DialService,
    FireService,
    ReconciliationService,
    LostJobsService,
    ExpiryService,
    RedisLossService,
    RetentionService,
    ZoneMovesService,
    SweeperService,
    { provide: DialProcessorSettings, useExisting: Config },
    DialProcessor,
    DialingLifecycle,
  ],
  exports: [FireService, DialService, SweeperService, ConcurrencySlotsService, Pacer, WorkerEngineWakeUps],
})
export class DialingModule {}
