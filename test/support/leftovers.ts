import { Redis } from 'ioredis';
import { unlinkMatching } from './redis.js';
import { TEMPLATE_PREFIX, withServer } from './template.js';

// Longer than any run takes: younger ones may be another run's that still goes on.
const ABANDONED_AFTER_S = 3 * 3_600;
const TEMPLATE_KEPT_DAYS = 1;

/** Whether a name's run is the given one, or so old that it is not in use any more. */
function isLeftover(run: string | undefined, ownRun: string): boolean {
  if (run === undefined) return false;
  if (run === ownRun) return true;
  const startedAt = Number.parseInt(run, 36);
  return Number.isFinite(startedAt) && Date.now() / 1_000 - startedAt > ABANDONED_AFTER_S;
}

/** Drops databases and keys of this run, and those that crashed runs left long ago. */
export async function dropLeftovers(serverUrl: string, redisUrl: string, ownRun: string): Promise<void> {
  await withServer(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string; made: string | null }>(
      `SELECT datname AS name, shobj_description(oid, 'pg_database') AS made FROM pg_database
       WHERE starts_with(datname, 'outdial_test_') OR starts_with(datname, $1)`,
      [TEMPLATE_PREFIX],
    );
    const oldest = Date.now() - TEMPLATE_KEPT_DAYS * 86_400_000;
    for (const { name, made } of rows) {
      const run = /^outdial_test_(.+)_[0-9a-f]{8}$/.exec(name)?.[1];
      const oldTemplate =
        name.startsWith(TEMPLATE_PREFIX) &&
        name !== process.env.TEST_DATABASE_TEMPLATE &&
        Date.parse(made ?? '') < oldest;
      if (isLeftover(run, ownRun) || oldTemplate)
        await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    }
  });
  const redis = new Redis(redisUrl);
  try {
    await unlinkMatching(redis, '{outdial-test-*', (key) => {
      return isLeftover(/^\{outdial-test-(.+)-[0-9a-f]{8}\}/.exec(key)?.[1], ownRun);
    });
  } finally {
    redis.disconnect();
  }
}
