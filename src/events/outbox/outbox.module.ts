import { Module } from '@nestjs/common';
import { SequencerService } from './sequencer.service.js';

/**
 * Numbers events, in the worker process only. In come rows of `events`, which the database's triggers write; out go their numbers.
 * Tables: `events`, `event_sequences`.
 */
@Module({ providers: [SequencerService] })
export class OutboxModule {}
