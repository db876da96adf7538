import { Module } from '@nestjs/common';
import { FeedController } from './feed/feed.controller.js';
import { FeedService } from './feed/feed.service.js';

/**
 * The events of a team, for requests with the team's API key. In come requests for the events after a
 * sequence; out go numbered events in their order. No tables of its own: it reads `events`, `event_batches`
 * and `event_sequences` of OutboxModule. Only the API process imports it.
 */
@Module({
  providers: [FeedService],
  controllers: [FeedController],
  exports: [FeedService],
})
export class EventsApiModule {}
