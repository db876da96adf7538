import { createHook } from 'node:async_hooks';
import { Redis } from 'ioredis';
import '../../src/queue/redis.module.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

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
