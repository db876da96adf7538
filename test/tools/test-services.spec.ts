import { Redis } from 'ioredis';
import { Client } from 'pg';
import { createEmptyDatabase, createTestDatabase } from '../support/database.js';
import { clearRedisPrefix, testRedisPrefix, testRedisUrl } from '../support/redis.js';

async function tables(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
    );
    return rows.map((row) => row.tablename);
  } finally {
    await client.end();
  }
}

describe('what test files get', () => {
  it('is a database of their own with all migrations, gone when dropped', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    expect(one.url).not.toBe(other.url);
    expect(await tables(one.url)).toContain('migrations');
    await Promise.all([one.drop(), other.drop()]);
    await expect(tables(one.url)).rejects.toThrow('does not exist');
  });

  it('is an empty database for the migrations themselves', async () => {
    const empty = await createEmptyDatabase();
    expect(await tables(empty.url)).toEqual([]);
    await empty.drop();
  });

  it('is a Redis prefix of their own that can be cleared', async () => {
    const redis = new Redis(testRedisUrl());
    const [mine, theirs] = [testRedisPrefix(), testRedisPrefix()];
    try {
      await redis.mset(`${mine}:a`, '1', `${theirs}:a`, '2');
      await clearRedisPrefix(mine);
      expect(await redis.mget(`${mine}:a`, `${theirs}:a`)).toEqual([null, '2']);
    } finally {
      await clearRedisPrefix(theirs);
      redis.disconnect();
    }
  });
});
