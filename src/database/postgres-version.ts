import { Client } from 'pg';
import { ConfigError } from '../config/config-error.js';

/** The oldest Postgres whose functions the schema uses, such as `uuidv7()`. */
const OLDEST_MAJOR = 18;

const VERSION_OF_SERVER = `
  SELECT current_setting('server_version_num')::integer / 10000 AS major, current_setting('server_version') AS version`;

interface ServerVersion {
  major: number;
  version: string;
}

/**
 * @param ask runs SQL on the server, in any session.
 * @throws ConfigError for a Postgres that is too old; the driver's error.
 */
export async function requireSupportedPostgres(
  ask: (sql: string) => Promise<ServerVersion[]>,
): Promise<void> {
  const [server] = await ask(VERSION_OF_SERVER);
  if (server === undefined || server.major >= OLDEST_MAJOR) return;
  throw new ConfigError(
    `Postgres ${OLDEST_MAJOR} or newer is needed, and the server of DATABASE_URL is Postgres ${server.version}.`,
  );
}

/** The same on a connection of its own, which takes no role. */
export async function requireSupportedPostgresAt(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await requireSupportedPostgres(async (sql) => (await client.query<ServerVersion>(sql)).rows);
  } finally {
    await client.end().catch(() => undefined);
  }
}
