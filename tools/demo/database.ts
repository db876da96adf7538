import { randomBytes } from 'node:crypto';
import { Client, DatabaseError } from 'pg';

const PREFIX = 'outdial_demo_';
// Any number that nothing else locks.
const START_LOCK = 20251122;
const INSUFFICIENT_PRIVILEGE = '42501';

/** A database for one run. */
export interface DemoDatabase {
  url: string;
  /** False for the given one, of which nothing is dropped. */
  own: boolean;
  /**
   * Sets the clock of the rules (ISO 8601), from where it goes on. Every process on the database sees it.
   *
   * @throws for a database that is not the run's own.
   */
  moveClockTo(instant: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates a database for this run on the server of `serverUrl`, so that the demo's worker and other workers
 * do not take each other's calls. If the role may not create one, the given database is used, unless calls
 * wait in it.
 */
export async function openDemoDatabase(serverUrl: string): Promise<DemoDatabase> {
  return onServer(serverUrl, async (server) => {
    // Until the keeper is connected, another run that starts now would take the database for abandoned.
    await server.query('SELECT pg_advisory_lock($1)', [START_LOCK]);
    await dropAbandoned(server);
    const name = PREFIX + randomBytes(5).toString('hex');
    try {
      await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
      await refuseWaitingCalls(server);
      return {
        url: serverUrl,
        own: false,
        moveClockTo: () => Promise.reject(new Error('The clock of a given database is not moved.')),
        close: () => Promise.resolve(),
      };
    }
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    const keeper = await connect(url.toString());
    return {
      url: url.toString(),
      own: true,
      moveClockTo: async (instant) => {
        const offsetMs = Date.parse(instant) - Date.now();
        await keeper.query(
          `CREATE OR REPLACE FUNCTION outdial_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
             AS $$ SELECT clock_timestamp() + interval '${offsetMs} milliseconds' $$`,
        );
      },
      close: async () => {
        await keeper.end().catch(() => undefined);
        await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      },
    };
  });
}

/** Databases of runs that were killed: those without a connection. */
async function dropAbandoned(client: Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `SELECT datname FROM pg_database d WHERE datname ~ '^${PREFIX}[0-9a-f]{10}$'
     AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = d.datname)`,
  );
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname}`).catch(() => undefined);
}

/** The demo's worker would dial them, by a simulator, and they would count as called. */
async function refuseWaitingCalls(client: Client): Promise<void> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('call_requests') IS NOT NULL AS found`,
  );
  if (!tables[0]?.found) return;
  const { rowCount } = await client.query(
    `SELECT FROM call_requests WHERE status IN ('scheduled', 'queued') LIMIT 1`,
  );
  if (!rowCount) return;
  throw new Error(
    'Calls wait in the database of DATABASE_URL, and the demo would take them for its own. ' +
      'Let the role create databases, name an empty database, or unset DATABASE_URL to use a private Postgres.',
  );
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
