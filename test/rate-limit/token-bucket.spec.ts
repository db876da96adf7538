import { Redis } from 'ioredis';
import { TAKE_TOKENS } from '../../src/rate-limit/token-bucket.lua.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';

test.each([1, 3, 7, 333, 1_000, 6_999])(
  'of many requests at one instant exactly one second’s worth passes: %d',
  async (rate) => {
    const redis = new Redis(testRedisUrl());
    try {
      const key = `${testRedisPrefix()}:rate:x${rate}`;
      const keys = Array.from({ length: rate + 50 }, () => key);
      const waits = (await redis.eval(TAKE_TOKENS, keys.length, ...keys, rate)) as number[];
      expect(waits.filter((wait) => wait < 0)).toHaveLength(rate);
      // How long the bucket takes to be full again.
      for (const [n, wait] of waits.slice(0, rate).entries()) {
        expect(Math.abs(-wait - ((n + 1) * 1_000_000) / rate)).toBeLessThanOrEqual(2 + rate / 250);
      }
      const refused = waits.slice(rate);
      expect(refused).toHaveLength(50);
      for (const wait of refused) {
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(1_000_000 / rate + 1);
      }
      // Another key's requests beside it are no matter of this one's.
      const [, other] = (await redis.eval(TAKE_TOKENS, 3, key, `${key}y`, key, 7)) as number[];
      expect(other).toBeLessThan(0);
      // Nothing is left of a key that is not used.
      expect(await redis.pttl(key)).toBeLessThanOrEqual(1_002);
    } finally {
      redis.disconnect();
    }
  },
);
