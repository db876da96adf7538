import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { giveTo, serverAccount } from '../../tools/services/account.js';
import { type DebianProgram, fromDebian, type Unpacked } from '../../tools/services/debian-program.js';
import { defaultCacheDir, defaultDataDir } from '../../tools/services/paths.js';
import { freePort } from '../../tools/services/ports.js';
import { type Account, run } from '../../tools/services/run.js';
import { eventually } from './eventually.js';

/** The first one that pools transactions and keeps named statements all the same. */
const accepts = (version: string): boolean => {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 21);
};

const PACKAGED: DebianProgram = {
  name: 'pgbouncer',
  packages: ['pgbouncer'],
  path: 'usr/sbin/pgbouncer',
  accepts,
};

/** Debian 12 has 1.18. */
const OF_DEBIAN_13: DebianProgram = { ...PACKAGED, name: 'pgbouncer-trixie', suite: 'trixie' };

/** A real PgBouncer that pools transactions, in front of one database. */
export interface PgBouncer {
  /** The database's address through it. */
  url: string;
  /** Statements and rows of its console. */
  show(what: 'servers' | 'pools' | 'stats'): Promise<Record<string, unknown>[]>;
  log(): string;
  close(): Promise<void>;
}

/**
 * @param settings of `pgbouncer.ini`, besides those that it cannot do without. Null where there is none new
 *   enough.
 */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Record<string, string | number>,
): Promise<PgBouncer | null> {
  const account = await serverAccount(join(defaultDataDir(), 'postgres'));
  const program = await findPgBouncer(account);
  if (program === null) return null;
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl);
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const database = pathname.slice(1);
  const directory = mkdtempSync(join(tmpdir(), 'outdial-pgbouncer-'));
  const port = await freePort();
  const file = (name: string) => join(directory, name);
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: file('users.txt'),
    admin_users: user,
    pool_mode: 'transaction',
    logfile: file('log'),
    ...settings,
  };
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(file('users.txt'), `"${user}" "${secret}"\n`);
  writeFileSync(
    file('pgbouncer.ini'),
    [
      '[databases]',
      `${database} = host=${hostname} port=${serverPort} dbname=${database}`,
      '[pgbouncer]',
      ...lines,
      '',
    ].join('\n'),
  );
  chmodSync(directory, 0o700);
  await giveTo(account, directory);
  const server = spawn(program.path, [...program.args, file('pgbouncer.ini')], {
    cwd: '/',
    stdio: 'ignore',
    env: { ...process.env, ...program.env },
    ...account.drop,
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const console = new URL(url);
  console.pathname = '/pgbouncer';
  const bouncer: PgBouncer = {
    url: url.toString(),
    show: (what) => ask(console.toString(), `SHOW ${what.toUpperCase()}`),
    log: () => readFileSync(file('log'), 'utf8'),
    close: () => end(server, directory),
  };
  try {
    const up = () => bouncer.show('pools').then(Boolean, (error: Error) => error.message);
    await eventually(up, (answer) => answer === true);
    return bouncer;
  } catch (error) {
    await bouncer.close();
    throw error;
  }
}

async function findPgBouncer(account: Account): Promise<Unpacked | null> {
  const installed = await run('pgbouncer', ['--version'], { account });
  if (installed.code === 0 && accepts(installed.output)) return { path: 'pgbouncer', args: [], env: {} };
  const problems: string[] = [];
  for (const program of [PACKAGED, OF_DEBIAN_13]) {
    const found = await fromDebian(program, account, defaultCacheDir(), problems);
    if (found) return found;
  }
  process.stderr.write(`PgBouncer is not tested: ${problems.join('; ') || 'there is no apt-get here'}\n`);
  return null;
}

/** Its console speaks the simple protocol alone. */
async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function end(server: ChildProcess, directory: string): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  rmSync(directory, { recursive: true });
}
