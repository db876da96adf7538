import { Module } from '@nestjs/common';
import { CarrierAccountsModule } from '../carrier-accounts/carrier-accounts.module.js';
import { CarriersModule } from '../carriers/carriers.module.js';
import { PacerService } from '../pacing/pacer.service.js';
import { Pacer } from '../pacing/pacer.js';
import { WorkerEngineWakeUps } from '../queue/engine-channel.js';
import { QueueModule } from '../queue/queue.module.js';
import { RedisModule } from '../queue/redis.module.js';
import { EngineWakeUps } from '../queue/wake-ups.js';
import { ConcurrencySlots } from './concurrency-slots/concurrency-slots.js';
import { ConcurrencySlotsService } from './concurrency-slots/concurrency-slots.service.js';
import { DialService } from './dial.service.js';
import { OutcomeService } from './outcome/outcome.service.js';

/**
 * What triggered calls and calls of campaigns share in the worker process: concurrency slots, the dial, and the
 * outcome. In come claimed calls and answers of carriers; out go dials and states of calls. Tables:
 * `call_requests`, `call_details`, and counts in `plan_usage`.
 */
@Module({
  imports: [QueueModule, RedisModule, CarriersModule, CarrierAccountsModule],
  providers: [
    ConcurrencySlotsService,
    { provide: ConcurrencySlots, useExisting: ConcurrencySlotsService },
    WorkerEngineWakeUps,
    { provide: EngineWakeUps, useExisting: WorkerEngineWakeUps },
    OutcomeService,
    { provide: Pacer, useClass: PacerService },
    DialService,
  ],
  exports: [
    ConcurrencySlotsService,
    ConcurrencySlots,
    WorkerEngineWakeUps,
    EngineWakeUps,
    OutcomeService,
    Pacer,
    DialService,
  ],
})
export class DialingModule {}
