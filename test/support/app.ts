import 'reflect-metadata';
import './error-answers.js';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApi } from '../../src/api.js';
import { Config } from '../../src/config/config.js';
import { type Configuration, loadConfig } from '../../src/configuration.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { WorkerModule } from '../../src/worker.module.js';
import { createTestDatabase } from './database.js';
import { testRedisPrefix } from './redis.js';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** One test file's own world: a database, a Redis prefix, and whichever processes it starts. */
export interface World {
  config: Configuration;
  db: DataSource;
  startApi(): Promise<NestExpressApplication>;
  startWorker(overrides?: Partial<Configuration>): Promise<INestApplicationContext>;
  close(): Promise<void>;
}

/** @param overrides of the configuration, for both processes. */
export async function createWorld(overrides: Partial<Configuration> = {}): Promise<World> {
  const database = await createTestDatabase();
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    REDIS_URL: process.env.TEST_REDIS_URL,
    REDIS_PREFIX: testRedisPrefix(),
    OPERATOR_TOKEN,
    CARRIER: 'simulator',
    // Tests ask as fast as they can, many at once, with one key.
    API_RATE_LIMIT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  });
  // Quick, so that a test which waits for the sweeper or the simulator waits little.
  Object.assign(config, {
    sweeperIntervalMs: 50,
    sweeperGraceMs: 200,
    simulatorAcceptMs: 5,
    simulatorRingMs: 5,
    simulatorTalkMs: 5,
    ...overrides,
  });
  // Without the limits of the product's sessions: on a busy machine, a test may take longer to store or to
  // hold its rows.
  const db = await new DataSource({ ...dataSourceOptions(database.url), extra: {} }).initialize();
  const running: INestApplicationContext[] = [];
  return {
    config,
    db,
    async startApi() {
      const api = await createApi(config, false);
      running.push(api);
      await api.listen(0, '127.0.0.1');
      return api;
    },
    async startWorker(workerOverrides = {}) {
      const worker = await NestFactory.createApplicationContext(
        WorkerModule.forRoot(Object.assign(new Config(), config, workerOverrides)),
        { logger: false, abortOnError: false },
      );
      running.push(worker);
      return worker;
    },
    async close() {
      for (const app of running.reverse()) await app.close();
      await db.destroy();
      await database.drop();
    },
  };
}
