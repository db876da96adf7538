import { Module } from '@nestjs/common';
import { QueueModule } from '../queue/queue.module.js';
import { RedisModule } from '../queue/redis.module.js';
import { HealthService } from './health.service.js';
import { ScrapeService } from './scrape.service.js';

/**
 * Probes and metrics of both processes. In come scrapes and probes; out go counts over all tables. No table
 * of its own.
 */
@Module({
  imports: [RedisModule, QueueModule],
  providers: [HealthService, ScrapeService],
  exports: [HealthService, ScrapeService],
})
export class HealthModule {}
