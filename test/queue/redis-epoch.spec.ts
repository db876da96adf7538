import { Redis } from 'ioredis';
import { RedisEpoch } from '../../src/queue/redis-epoch.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';

let redis: Redis;
let key: string;
beforeAll(() => {
  redis = new Redis(testRedisUrl());
});
afterAll(() => redis.disconnect());
beforeEach(() => {
  key = `${testRedisPrefix()}:marker`;
});
afterEach(() => redis.del(key));

const epoch = () => new RedisEpoch(redis, key, false);

test('an unknown Redis lacks jobs until a process has restored them', async () => {
  const [one, other] = [epoch(), epoch()];
  expect(await one.begin()).toBe(true);
  expect(await other.begin()).toBe(false);
  expect(await one.goOn()).toBe(true);
  expect(await one.complete()).toBe(true);
  expect([await one.begin(), await other.begin()]).toEqual([false, false]);
});

test('an emptied Redis lacks jobs, also during the restoration', async () => {
  const one = epoch();
  await one.begin();
  await redis.del(key);
  expect([await one.goOn(), await one.complete()]).toEqual([false, false]);
  expect(await one.begin()).toBe(true);
  await one.complete();
  await redis.del(key);
  expect(await one.begin()).toBe(true);
});

test('a Redis with another run id may lack the last jobs', async () => {
  await redis.set(key, 'another run id');
  expect(await epoch().begin()).toBe(true);
});

test('another process continues after one that dies during the restoration', async () => {
  await epoch().begin();
  expect(await redis.ttl(key)).toBeGreaterThan(0);
  expect(await redis.ttl(key)).toBeLessThanOrEqual(15);
});

test('an unreachable Redis does not count as emptied', async () => {
  const away = new Redis(testRedisUrl());
  await away.ping();
  away.disconnect();
  const unknown = new RedisEpoch(away, key, false);
  expect([await unknown.begin(), await unknown.goOn(), await unknown.complete()]).toEqual([
    false,
    false,
    false,
  ]);
});

test('a cluster is checked by the marker only', async () => {
  const cluster = new RedisEpoch(redis, key, true);
  expect(await cluster.begin()).toBe(true);
  await cluster.complete();
  expect(await redis.get(key)).toBe('cluster');
  expect(await cluster.begin()).toBe(false);
});
