import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { giveTo } from './account.js';
import { isAlive } from './lock.js';
import { freePort } from './ports.js';
import { type Account, logTail, mustRun, pause, run, runsProgram } from './run.js';

/** The directory of a private Postgres, and the user that runs it. */
export interface PostgresDirectory {
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

const dataDir = (directory: PostgresDirectory): string => join(directory.base, 'postgres');
const logFile = (directory: PostgresDirectory): string => join(directory.base, 'postgres.log');

/** The URL of a database on the private server. */
export function postgresUrl(directory: PostgresDirectory, port: number, database = DATABASE): string {
  return `postgres://${ROLE}:${directory.secret}@127.0.0.1:${port}/${database}`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Process id and port as Postgres itself wrote them down; they may be of a server that is long dead. */
async function readPidFile(directory: PostgresDirectory): Promise<{ pid?: number; port?: number }> {
  const text = await readFile(join(dataDir(directory), 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return { pid: Number(lines[0]) || undefined, port: Number(lines[3]) || undefined };
}

async function isOurs(directory: PostgresDirectory, port: number): Promise<boolean> {
  const client = new Client({
    connectionString: postgresUrl(directory, port, 'postgres'),
    connectionTimeoutMillis: 3_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return (await realpath(rows[0]?.data_directory ?? '')) === (await realpath(dataDir(directory)));
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The port on which our own Postgres answers now, if it does. */
export async function findPostgres(directory: PostgresDirectory, hint?: number): Promise<number | undefined> {
  if (!(await exists(dataDir(directory)))) return undefined;
  const { port } = await readPidFile(directory);
  for (const candidate of new Set([port, hint])) {
    if (candidate && (await isOurs(directory, candidate))) return candidate;
  }
  return undefined;
}

async function initialise(directory: PostgresDirectory, binDir: string): Promise<void> {
  // Postgres never sees a half-initialised directory: it gets its name only when it is whole.
  const draft = join(directory.base, 'postgres.new');
  const passwordFile = join(directory.base, 'postgres.password');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, directory.secret, { mode: 0o600 });
  await giveTo(directory.account, draft);
  await giveTo(directory.account, passwordFile);
  try {
    await mustRun(
      join(binDir, 'initdb'),
      [
        '--pgdata',
        draft,
        '--username',
        ROLE,
        '--pwfile',
        passwordFile,
        '--auth',
        'scram-sha-256',
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
        '--text-search-config',
        'simple',
        '--no-instructions',
      ],
      { account: directory.account },
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, dataDir(directory));
}

/**
 * A server that is up but still recovers is waited for; a pid file whose number was taken since is cleared.
 */
async function waitForAnswer(directory: PostgresDirectory): Promise<number | undefined> {
  const { pid } = await readPidFile(directory);
  if (!pid || !isAlive(pid)) return undefined;
  if (!(await runsProgram(pid, /postgres/))) {
    // Postgres would take the stranger for itself and refuse to start.
    await rm(join(dataDir(directory), 'postmaster.pid'), { force: true });
    return undefined;
  }
  const deadline = Date.now() + START_TIMEOUT_S * 1_000;
  while (isAlive(pid) && Date.now() < deadline) {
    const port = await findPostgres(directory);
    if (port) return port;
    await pause(200);
  }
  return undefined;
}

async function launch(
  directory: PostgresDirectory,
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
      'start',
      '--pgdata',
      dataDir(directory),
      '--log',
      logFile(directory),
      '--wait',
      '--timeout',
      String(START_TIMEOUT_S),
      '--silent',
      '--options',
      settings.join(' '),
    ],
    { account: directory.account },
  );
  return code === 0 && (await isOurs(directory, port));
}

/**
 * Starts our Postgres, making its data directory at the first start; gives its port.
 *
 * @param changed settings in place of the durable ones; a server that runs already keeps its own.
 */
export async function startPostgres(
  directory: PostgresDirectory,
  binDir: string,
  hint?: number,
  changed: PostgresSettings = {},
): Promise<number> {
  if (!(await exists(dataDir(directory)))) await initialise(directory, binDir);
  await writeFile(logFile(directory), '', { flag: 'a' });
  await giveTo(directory.account, logFile(directory));
  await chmod(logFile(directory), 0o600);
  const running = await waitForAnswer(directory);
  if (running) return running;
  // Children of a killed server hold its shared memory for a moment; a port can be taken between look and
  // use.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const port = await freePort(attempt < 2 ? hint : undefined);
    if (await launch(directory, binDir, port, changed)) return port;
    await pause(500);
  }
  throw new Error(
    `Postgres did not start. The end of ${logFile(directory)}:\n${await logTail(logFile(directory))}\n` +
      `If its data can go, remove ${dataDir(directory)} and try again; or set DATABASE_URL.`,
  );
}

/** Creates the application's database if it is not there yet. */
export async function ensureDatabase(directory: PostgresDirectory, port: number): Promise<void> {
  const client = new Client({ connectionString: postgresUrl(directory, port, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Stops our Postgres; connections are cut, committed data is kept. */
export async function stopPostgres(directory: PostgresDirectory, binDir: string): Promise<void> {
  const args = [
    'stop',
    '--pgdata',
    dataDir(directory),
    '--mode',
    'fast',
    '--wait',
    '--timeout',
    '60',
    '--silent',
  ];
  await mustRun(join(binDir, 'pg_ctl'), args, { account: directory.account });
}
