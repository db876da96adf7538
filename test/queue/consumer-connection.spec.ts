import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Worker } from 'bullmq';
import { type RedisOptions } from 'ioredis';
import { Config } from '../../src/config/config.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { WorkerConnection } from '../../src/queue/worker-connection.js';
import { WorkerRedisModule } from '../../src/queue/worker-redis.module.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';

/** Longer than any outage: an attempt takes at most two seconds, and so does the pause after it. */
const ATTEMPTS = 1_000;

test('however long Redis was away, a connection that takes jobs returns within three seconds', async () => {
  const config = Object.assign(new Config(), { redisUrl: testRedisUrl(), redisPrefix: testRedisPrefix() });
  @Module({ imports: [ConfigModule.forRoot(config), WorkerRedisModule] })
  class Root {}
  const app = await NestFactory.createApplicationContext(Root, { logger: false, abortOnError: false });
  const { connection } = app.get(WorkerConnection, { strict: false });
  const worker = new Worker('nothing', () => Promise.resolve(), {
    autorun: false,
    connection,
    prefix: config.redisPrefix,
  });
  const { backend } = worker as unknown as { backend: Record<string, { opts: RedisOptions }> };
  try {
    for (const name of ['connection', 'blockingConnection']) {
      const options = backend[name]!.opts;
      const pauses = Array.from({ length: ATTEMPTS }, (_, n) => Number(options.retryStrategy?.(n + 1)));
      expect(Math.max(...pauses)).toBeLessThanOrEqual(1_000);
      expect(Math.min(...pauses)).toBeGreaterThan(0);
      // An attempt on a machine that is away ends, and the next one reaches the machine that is back.
      expect(options.connectTimeout! + Math.max(...pauses)).toBeLessThanOrEqual(3_000);
    }
  } finally {
    await worker.close();
    await app.close();
  }
});
