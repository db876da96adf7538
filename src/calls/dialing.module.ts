import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { CarriersModule } from '../carriers/carriers.module.js';
import { Config } from '../config/config.js';
import { QueueModule } from '../queue/queue.module.js';
import { redisOptionsOf } from '../queue/redis-options.js';
import { DialProcessor } from './dial.processor.js';
import { DialService } from './dial.service.js';
import { DialingLifecycle } from './dialing.lifecycle.js';
import { FireService } from './fire.service.js';
import { OutcomeService } from './outcome.service.js';
import { SweeperService } from './sweeper.service.js';
import { UnsettledService } from './unsettled.service.js';

/** Longer than BullMQ ever waits for a job in one command, which is ten seconds. */
const SILENCE_TIMEOUT_MS = 12_000;

/** Firing and dialing: what the worker process is for. */
@Module({
  imports: [
    QueueModule,
    CarriersModule,
    BullModule.forRootAsync({
      inject: [Config],
      // The worker's own connections wait for Redis as long as it takes, and are replaced when they fall silent.
      useFactory: (config: Config) => ({
        connection: {
          ...redisOptionsOf(config.redisUrl),
          maxRetriesPerRequest: null,
          socketTimeout: SILENCE_TIMEOUT_MS,
        },
        prefix: config.redisPrefix,
      }),
    }),
  ],
  providers: [
    OutcomeService,
    DialService,
    FireService,
    UnsettledService,
    SweeperService,
    DialProcessor,
    DialingLifecycle,
  ],
  exports: [FireService, DialService, SweeperService],
})
export class DialingModule {}
