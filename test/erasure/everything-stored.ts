import { Redis } from 'ioredis';
import { type DataSource } from 'typeorm';
import { testRedisUrl } from '../support/redis.js';

/** Every row of every table as text, by table. */
export async function dumpOf(db: DataSource): Promise<Map<string, string>> {
  const tables = await db.query<{ name: string }[]>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`);
    // A month is a part of its table.
    const table = name.replace(/_\d{4}_\d{2}$/, '');
    const text = [dump.get(table) ?? '', ...rows.map(({ row }) => row)].filter((line) => line !== '');
    dump.set(table, text.join('\n'));
  }
  return dump;
}

/** Every key of Redis with this prefix, and what it holds, as text. */
export async function redisTextOf(prefix: string): Promise<string> {
  const redis = new Redis(testRedisUrl());
  try {
    const texts: string[] = [];
    for await (const keys of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>) {
      for (const key of keys.filter((name) => name.startsWith(prefix))) {
        texts.push(key, JSON.stringify(await contentOf(redis, key)));
      }
    }
    return texts.join('\n');
  } finally {
    redis.disconnect();
  }
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1, 'WITHSCORES');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}

/** Where any of the words stands, in any case. */
export function placesOf(words: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([place, text]) =>
    words
      .filter((word) => text.toLowerCase().includes(word.toLowerCase()))
      .map((word) => `${place}: ${word}`),
  );
}
