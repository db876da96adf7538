import { Module } from '@nestjs/common';
import { CarrierAccountsModule } from '../carrier-accounts/carrier-accounts.module.js';
import { SettlementModule } from '../campaigns/engine/settlement.module.js';
import { DoNotCallJournalModule } from '../suppression/do-not-call-journal.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { EngineWakeUps } from '../queue/wake-ups.js';
import { PublishedEngineWakeUps } from '../queue/engine-channel.js';
import { TeamsModule } from '../teams/teams.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { CarrierReportsService } from './reports/carrier-reports.service.js';
import { CallsService } from './records/calls.service.js';
import { CancellationsService } from './records/cancellations.service.js';
import { ConcurrencySlots } from '../dialing/concurrency-slots/concurrency-slots.js';
import { ConcurrencySlotsService } from '../dialing/concurrency-slots/concurrency-slots.service.js';
import { HangUpsService } from './records/hang-ups.service.js';
import { CallResultsService } from '../results/call-results.service.js';
import { LiveCallService } from './reports/live-call.service.js';
import { OutcomeService } from '../dialing/outcome/outcome.service.js';

/**
 * Reads, cancels and hangs up calls, and records their outcomes. In come requests for calls, carriers' reports and results;
 * out go calls in the table and wake-ups in the queue. Tables: `call_requests`, `call_details`, `call_results`, and counts
 * in `plan_usage`.
 */
@Module({
  imports: [
    CarrierAccountsModule,
    QueueModule,
    ErasedNumbersModule,
    DoNotCallJournalModule,
    SettlementModule,
    TeamsModule,
  ],
  providers: [
    CallsService,
    CancellationsService,
    CarrierReportsService,
    HangUpsService,
    ConcurrencySlotsService,
    { provide: ConcurrencySlots, useExisting: ConcurrencySlotsService },
    LiveCallService,
    { provide: EngineWakeUps, useClass: PublishedEngineWakeUps },
    CallResultsService,
    OutcomeService,
  ],
  exports: [
    CallsService,
    CancellationsService,
    CarrierReportsService,
    HangUpsService,
    LiveCallService,
    OutcomeService,
  ],
})
export class CallsModule {}
