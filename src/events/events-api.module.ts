import { Module } from '@nestjs/common';
import { FeedController } from './feed/feed.controller.js';
import { FeedService } from './feed/feed.service.js';

/**
 * A team's events by its key. Only the API process imports it. Tables: it reads `events`, `event_batches` and
 * `event_sequences`.
 */
@Module({
  providers: [FeedService],
  controllers: [FeedController],
})
export class EventsApiModule {}
