import { Module } from '@nestjs/common';
import { QueueModule } from '../../queue/queue.module.js';
import { CampaignStatesService } from './campaign-states.service.js';
import { EventRetentionService } from './event-retention.service.js';
import { SequencerService } from './sequencer.service.js';

/**
 * Numbers events, removes old ones, and has told that campaigns have finished or stalled, in the worker process only.
 * In come rows of `events`, which the database's triggers write. Out go the numbers of the events, their deliveries to
 * webhook endpoints, and wake-ups of the endpoints. Tables: `events`, `event_batches`, `event_gaps`, `event_sequences`,
 * and new rows of `webhook_deliveries`.
 */
@Module({
  imports: [QueueModule],
  providers: [SequencerService, EventRetentionService, CampaignStatesService],
})
export class OutboxModule {}
