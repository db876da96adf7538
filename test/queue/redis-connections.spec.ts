import 'reflect-metadata';
import { createHook } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import '../../src/queue/redis.module.js';
import { CarriersModule } from '../../src/carriers/carriers.module.js';
import { Config } from '../../src/config/config.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { CallQueue } from '../../src/queue/call-queue.js';
import { QueueModule } from '../../src/queue/queue.module.js';
import { TelemetryModule } from '../../src/telemetry/telemetry.module.js';
import { type Inspector, type Link, TcpProxy } from '../../tools/faults/tcp-proxy.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { eventually } from '../support/eventually.js';

describe('a silent connection', () => {
  /** Its half is longer than a busy machine delays a timer. */
  const TIMEOUT_MS = 2_000;
  /** Long, and no timer but this one's takes as long. */
  const PATIENCE_MS = 61_234;

  const next = (redis: Redis, event: string) =>
    new Promise<void>((resolve) => redis.once(event, () => resolve()));

  test('a connection that closes while it waits leaves no timer that ends the next one', async () => {
    const proxy = await startTcpProxy(testRedisUrl());
    const redis = new Redis(proxy.url, {
      socketTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: null,
      retryStrategy: () => 10,
    });
    const closed = jest.fn();
    redis.on('error', () => undefined).on('close', closed);
    await redis.ping();
    redis.blpop('nothing-comes-here', 0).catch(() => undefined);
    // Half of the time is over when the connection goes.
    await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS / 2));
    const [gone, back] = [next(redis, 'close'), next(redis, 'ready')];
    await proxy.cut();
    await gone;
    await proxy.restore();
    await back;
    // The command that waited is sent again, and is silent as it should be; this connection's own timer ends
    // it.
    const closedBefore = closed.mock.calls.length;
    const since = performance.now();
    await next(redis, 'close');
    expect(performance.now() - since).toBeGreaterThan(TIMEOUT_MS - 50);
    expect(closed).toHaveBeenCalledTimes(closedBefore + 1);
    redis.disconnect();
    await proxy.close();
  });

  test('a closed waiting connection has no timer', async () => {
    const timers = new Set<number>();
    const hook = createHook({
      init: (id, _type, _trigger, resource) => {
        if ((resource as { _idleTimeout?: number })._idleTimeout === PATIENCE_MS) timers.add(id);
      },
      destroy: (id) => void timers.delete(id),
    });
    const redis = new Redis(testRedisUrl(), { socketTimeout: PATIENCE_MS, maxRetriesPerRequest: null });
    await redis.ping();
    hook.enable();
    const waiting = redis.blpop('nothing-comes-here', 0).catch(() => undefined);
    expect(timers.size).toBe(1);
    redis.disconnect();
    await waiting;
    await new Promise((resolve) => setImmediate(resolve));
    hook.disable();
    expect([...timers]).toEqual([]);
  });
});

describe('outages of Redis', () => {
  let proxy: TcpProxy;
  let app: INestApplicationContext;
  let away: boolean;

  /** The producing side of the queue, behind a proxy of its own. */
  async function startQueue(inspect?: (link: Link) => Inspector): Promise<CallQueue> {
    const url = new URL(testRedisUrl());
    const port = Number(url.port);
    proxy = await new TcpProxy(() => port, inspect).listen();
    url.port = String(proxy.port);
    const config = Object.assign(new Config(), { redisUrl: url.toString(), redisPrefix: testRedisPrefix() });
    @Module({ imports: [ConfigModule.forRoot(config), TelemetryModule, CarriersModule, QueueModule] })
    class Root {}
    app = await NestFactory.createApplicationContext(Root, { logger: false, abortOnError: false });
    return app.get(CallQueue);
  }

  beforeEach(() => {
    away = true;
  });
  afterEach(async () => {
    await proxy.close();
    await app.close();
  });

  const wake = (queue: CallQueue) => queue.wake({ callRequestId: randomUUID(), generation: 0 });
  const confirmed = (wokenUp: boolean) => wokenUp;

  test('connections that were cut without notice are replaced', async () => {
    const queue = await startQueue();
    await eventually(() => wake(queue), confirmed);
    proxy.abandon();
    expect(await wake(queue)).toBe(false);
    await eventually(() => wake(queue), confirmed, 10_000);
  });

  test('a queue that started without Redis works after Redis is there', async () => {
    const queue = await startQueue((link) => {
      if (away) link.cut();
      return {};
    });
    expect(await wake(queue)).toBe(false);
    away = false;
    await eventually(() => wake(queue), confirmed, 10_000);
  });

  test.each([
    ['lost', (link: Link) => Promise.resolve(link.cut())],
    ['slow', () => new Promise<void>((resolve) => setTimeout(resolve, 2_500))],
  ])('a connection %s during the start does not break the queue permanently', async (_, spoil) => {
    let asked = 0;
    const queue = await startQueue((link) => ({
      toServer: async (chunk) => {
        if (!chunk.toString('latin1').toLowerCase().includes('$4\r\ninfo')) return;
        asked += 1;
        // ioredis asks first, whether Redis is ready; BullMQ would ask again, for the version.
        if (asked === 2) await spoil(link);
      },
    }));
    await eventually(() => wake(queue), confirmed, 10_000);
  });

  test('a stop waits for wake-ups whose caller did not', async () => {
    const queue = await startQueue();
    await eventually(() => wake(queue), confirmed);
    const answers: boolean[] = [];
    void queue.wake({ callRequestId: randomUUID(), generation: 0 }).then((answer) => answers.push(answer));
    await app.close();
    expect(answers).toEqual([true]);
  });
});
