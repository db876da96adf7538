import { Module } from '@nestjs/common';
import { QueueModule } from '../queue/queue.module.js';
import { CarrierReportsService } from './carrier-reports.service.js';
import { CallsService } from './calls.service.js';
import { LinesService } from './lines.service.js';
import { LiveCallService } from './live-call.service.js';
import { OutcomeService } from './outcome.service.js';
import { TriggerService } from './trigger.service.js';

/** Accepting, reading and canceling calls. */
@Module({
  imports: [QueueModule],
  providers: [
    TriggerService,
    CallsService,
    CarrierReportsService,
    LinesService,
    LiveCallService,
    OutcomeService,
  ],
  exports: [TriggerService, CallsService, CarrierReportsService, LiveCallService, OutcomeService],
})
export class CallsModule {}
