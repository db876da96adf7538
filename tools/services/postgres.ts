import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { giveTo } from './account.js';
import { isAlive } from './lock.js';
import { freePort } from './ports.js';
import { type Account, logTail, mustRun, pause, run, runsProgram } from './run.js';

/** The directory of a private Postgres, and the user that runs it. */
export interface PostgresPlace {
  base: string;
  account: Account;
  secret: string;
}

const ROLE = 'outdial';
const DATABASE = 'outdial';
// A recovery after a crash replays up to this much log before connections are let in.
const START_TIMEOUT_S = 60;

/** Settings of a server by their names in Postgres. */
export type PostgresSettings = Readonly<Record<string, string>>;

const SETTINGS: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  // Without a socket file, every client needs the password.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // What a 200 promised must survive a crash on this server as well.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  jit: 'off',
};

const dataDir = (place: PostgresPlace): string => join(place.base, 'postgres');
const logFile = (place: PostgresPlace): string => join(place.base, 'postgres.log');

/** The URL of a database on the private server. */
export function postgresUrl(place: PostgresPlace, port: number, database = DATABASE): string {
  return `postgres://${ROLE}:${place.secret}@127.0.0.1:${port}/${database}`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Process id and port as Postgres itself wrote them down; they may be of a server that is long dead. */
async function readPidFile(place: PostgresPlace): Promise<{ pid?: number; port?: number }> {
  const text = await readFile(join(dataDir(place), 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return { pid: Number(lines[0]) || undefined, port: Number(lines[3]) || undefined };
}

async function isOurs(place: PostgresPlace, port: number): Promise<boolean> {
  const client = new Client({
    connectionString: postgresUrl(place, port, 'postgres'),
    connectionTimeoutMillis: 3_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return (await realpath(rows[0]?.data_directory ?? '')) === (await realpath(dataDir(place)));
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The port on which our own Postgres answers now, if it does. */
export async function findPostgres(place: PostgresPlace, hint?: number): Promise<number | undefined> {
  if (!(await exists(dataDir(place)))) return undefined;
  const { port } = await readPidFile(place);
  for (const candidate of new Set([port, hint])) {
    if (candidate && (await isOurs(place, candidate))) return candidate;
  }
  return undefined;
}

async function initialise(place: PostgresPlace, binDir: string): Promise<void> {
  // Postgres never sees a half-initialised directory: it gets its name only when it is whole.
  const draft = join(place.base, 'postgres.new');
  const passwordFile = join(place.base, 'postgres.password');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, place.secret, { mode: 0o600 });
  await giveTo(place.account, draft);
  await giveTo(place.account, passwordFile);
  try {
    await mustRun(
      join(binDir, 'initdb'),
      [
        ...['--pgdata', draft, '--username', ROLE, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
        ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin'],
        ...['--builtin-locale', 'C.UTF-8', '--text-search-config', 'simple', '--no-instructions'],
      ],
      { account: place.account },
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, dataDir(place));
}

/** A server that is up but still recovers is waited for; a pid file whose number was taken since is cleared. */
async function waitForAnswer(place: PostgresPlace): Promise<number | undefined> {
  const { pid } = await readPidFile(place);
  if (!pid || !isAlive(pid)) return undefined;
  if (!(await runsProgram(pid, /postgres/))) {
    // Postgres would take the stranger for itself and refuse to start.
    await rm(join(dataDir(place), 'postmaster.pid'), { force: true });
    return undefined;
  }
  const deadline = Date.now() + START_TIMEOUT_S * 1_000;
  while (isAlive(pid) && Date.now() < deadline) {
    const port = await findPostgres(place);
    if (port) return port;
    await pause(200);
  }
  return undefined;
}

async function launch(
  place: PostgresPlace,
  binDir: string,
  port: number,
  changed: PostgresSettings,
): Promise<boolean> {
  const settings = Object.entries({ ...SETTINGS, ...changed, port: String(port) }).map(
    ([key, value]) => `-c ${key}=${value}`,
  );
  const { code } = await run(
    join(binDir, 'pg_ctl'),
    [
      ...['start', '--pgdata', dataDir(place), '--log', logFile(place), '--wait'],
      ...['--timeout', String(START_TIMEOUT_S), '--silent', '--options', settings.join(' ')],
    ],
    { account: place.account },
  );
  return code === 0 && (await isOurs(place, port));
}

/**
 * Starts our Postgres, making its data directory at the first start; gives its port.
 *
 * @param changed settings in place of the durable ones; a server that runs already keeps its own.
 */
export async function startPostgres(
  place: PostgresPlace,
  binDir: string,
  hint?: number,
  changed: PostgresSettings = {},
): Promise<number> {
  if (!(await exists(dataDir(place)))) await initialise(place, binDir);
  await writeFile(logFile(place), '', { flag: 'a' });
  await giveTo(place.account, logFile(place));
  await chmod(logFile(place), 0o600);
  const running = await waitForAnswer(place);
  if (running) return running;
  // Children of a killed server hold its shared memory for a moment; a port can be taken between look and use.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const port = await freePort(attempt < 2 ? hint : undefined);
    if (await launch(place, binDir, port, changed)) return port;
    await pause(500);
  }
  throw new Error(
    `Postgres did not start. The end of ${logFile(place)}:\n${await logTail(logFile(place))}\n` +
      `If its data can go, remove ${dataDir(place)} and try again; or set DATABASE_URL.`,
  );
}

/** Creates the application's database if it is not there yet. */
export async function ensureDatabase(place: PostgresPlace, port: number): Promise<void> {
  const client = new Client({ connectionString: postgresUrl(place, port, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Stops our Postgres; connections are cut, committed data is kept. */
export async function stopPostgres(place: PostgresPlace, binDir: string): Promise<void> {
  const args = [
    'stop',
    '--pgdata',
    dataDir(place),
    '--mode',
    'fast',
    '--wait',
    '--timeout',
    '60',
    '--silent',
  ];
  await mustRun(join(binDir, 'pg_ctl'), args, { account: place.account });
}
