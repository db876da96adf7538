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

describe('a test file gets', () => {
  it('its own database with all migrations, which is dropped after it', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    expect(one.url).not.toBe(other.url);
    expect(await tables(one.url)).toContain('migrations');
    await Promise.all([one.drop(), other.drop()]);
    await expect(tables(one.url)).rejects.toThrow('does not exist');
  });

  it('an empty database for tests of migrations', async () => {
    const empty = await createEmptyDatabase();
    expect(await tables(empty.url)).toEqual([]);
    await empty.drop();
  });

  it('its own Redis prefix, which can be cleared', async () => {
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
