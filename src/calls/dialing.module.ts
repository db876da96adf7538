import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { CarriersModule } from '../carriers/carriers.module.js';
import { Config } from '../config/config.js';
import { Pacer } from '../pacing/pacer.service.js';
import { QueueModule } from '../queue/queue.module.js';
import { RedisModule } from '../queue/redis.module.js';
import { WorkerConnection, WorkerRedisModule } from '../queue/worker-redis.module.js';
import { DialProcessor } from './dial.processor.js';
import { DialService } from './dial.service.js';
import { DialingLifecycle } from './dialing.lifecycle.js';
import { ExpiryService } from './expiry.service.js';
import { FireService } from './fire.service.js';
import { LinesService } from './lines.service.js';
import { OverdueService } from './overdue.service.js';
import { OutcomeService } from './outcome.service.js';
import { RedisLossService } from './redis-loss.service.js';
import { SweeperService } from './sweeper.service.js';
import { UnsettledService } from './unsettled.service.js';

/** Firing and dialing: what the worker process is for. */
@Module({
  imports: [
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
    LinesService,
    OutcomeService,
    Pacer,
    DialService,
    FireService,
    UnsettledService,
    OverdueService,
    ExpiryService,
    RedisLossService,
    SweeperService,
    DialProcessor,
    DialingLifecycle,
  ],
  exports: [FireService, DialService, SweeperService],
})
export class DialingModule {}
