import { Client } from 'pg';
import { withRedis } from './redis.js';

/** The address without the password, for messages. */
function shown(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.password = '';
    return parsed.toString();
  } catch {
    return 'not a URL';
  }
}

/** Throws unless a given DATABASE_URL can be used. */
export async function checkDatabaseUrl(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (error) {
    throw new Error(
      `DATABASE_URL (${shown(url)}) cannot be reached: ${reason(error)}. ` +
        'Start that Postgres, correct the URL, or unset DATABASE_URL to use a private one.',
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Throws unless a given REDIS_URL can be used. */
export async function checkRedisUrl(url: string): Promise<void> {
  try {
    await withRedis(url, (redis) => redis.ping());
  } catch (error) {
    throw new Error(
      `REDIS_URL (${shown(url)}) cannot be reached: ${reason(error)}. ` +
        'Start that Redis, correct the URL, or unset REDIS_URL to use a private one.',
      { cause: error },
    );
  }
}

function reason(error: unknown): string {
  // A name with several addresses fails with an error per address and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ');
  return error instanceof Error ? error.message : String(error);
}
