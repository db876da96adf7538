import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

/** The Redis that all tests share: keep to your own prefix. */
export function testRedisUrl(): string {
  const url = process.env.TEST_REDIS_URL;
  if (!url)
    throw new Error(
      'TEST_REDIS_URL is not set: this test needs Jest\'s global setup (project "services" or "slow").',
    );
  return url;
}

/** A prefix that no other test file has; in braces, as BullMQ wants it for Redis Cluster. */
export function testRedisPrefix(): string {
  return `{outdial-test-${process.env.TEST_RUN ?? '0'}-${randomBytes(4).toString('hex')}}`;
}

const CLEAR = `
  local cursor = '0'
  repeat
    local found = redis.call('SCAN', cursor, 'MATCH', ARGV[1], 'COUNT', 1000)
    cursor = found[1]
    for _, key in ipairs(found[2]) do redis.call('UNLINK', key) end
  until cursor == '0'`;

/**
 * Deletes every key that starts with the prefix, at one instant, as a flush does. Otherwise a worker would restore jobs
 * whose keys are then deleted.
 */
export async function clearRedisPrefix(prefix: string): Promise<void> {
  const redis = new Redis(testRedisUrl());
  try {
    await redis.eval(CLEAR, 0, `${escapeGlob(prefix)}*`);
  } finally {
    redis.disconnect();
  }
}

/** Deletes the matching keys that `chosen` agrees to, in batches, without blocking Redis. */
export async function unlinkMatching(
  redis: Redis,
  pattern: string,
  chosen: (key: string) => boolean,
): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 500);
    cursor = next;
    const doomed = keys.filter(chosen);
    if (doomed.length > 0) await redis.unlink(...doomed);
  } while (cursor !== '0');
}

function escapeGlob(text: string): string {
  return text.replace(/[[\]*?\\]/g, '\\$&');
}
