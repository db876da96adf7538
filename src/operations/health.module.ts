import { Module } from '@nestjs/common';
import { QueueModule } from '../queue/queue.module.js';
import { RedisModule } from '../queue/redis.module.js';
import { HealthService } from './health.service.js';
import { ScrapeService } from './scrape.service.js';

/** What both processes tell of themselves: probes and metrics. */
@Module({
  imports: [RedisModule, QueueModule],
  providers: [HealthService, ScrapeService],
  exports: [HealthService, ScrapeService],
})
export class HealthModule {}
