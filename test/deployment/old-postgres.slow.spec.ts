import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { serverAccount, giveTo } from '../../tools/services/account.js';
import { freePort } from '../../tools/services/ports.js';
import { type Account, mustRun, run } from '../../tools/services/run.js';
import { startProgram } from '../../tools/stack/processes.js';
import { createWorld, type World } from '../support/app.js';
import { createEmptyDatabase, createTestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses } from '../support/processes.js';

let world: World;
let processes: RealProcesses;

beforeAll(async () => {
  world = await createWorld();
  processes = await RealProcesses.of(world);
}, 180_000);
afterAll(async () => {
  await processes.close();
  await world.close();
});

interface OldServer {
  url: string;
  version: string;
  stop: () => Promise<void>;
}

/** A server of the machine that is older than 18; null if there is none. */
async function startOldServer(): Promise<OldServer | null> {
  const { code, output } = await run('postgres', ['--version']);
  const [, version = '', major = ''] = /((\d+)[.\d]*)/.exec(output) ?? [];
  if (code !== 0 || Number(major) >= 18) return null;
  const found = await run('/bin/sh', ['-c', 'command -v postgres']);
  const binDir = dirname(realpathSync(found.output.trim()));
  const base = mkdtempSync(join(tmpdir(), 'outdial-old-postgres-'));
  chmodSync(base, 0o755);
  const account: Account = await serverAccount(base);
  await giveTo(account, base);
  const data = join(base, 'data');
  const initdb = [
    '--pgdata',
    data,
    '--username',
    'postgres',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
  ];
  await mustRun(join(binDir, 'initdb'), initdb, { account });
  const port = await freePort();
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=`;
  const start = [
    'start',
    '--pgdata',
    data,
    '--log',
    join(base, 'log'),
    '--wait',
    '--silent',
    '--options',
    settings,
  ];
  await mustRun(join(binDir, 'pg_ctl'), start, { account });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    version,
    stop: async () => {
      await mustRun(join(binDir, 'pg_ctl'), ['stop', '--pgdata', data, '--mode', 'immediate', '--silent'], {
        account,
      });
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** What a program writes, and its exit code. */
async function outputOf(
  entry: string,
  env: Record<string, string>,
  ...argv: string[]
): Promise<{ code: number; output: string }> {
  const program = startProgram(
    entry,
    entry,
    { stdio: 'pipe', env: { PATH: process.env.PATH, ...env } },
    argv,
  );
  let output = '';
  for (const stream of [program.child.stdout, program.child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const { code } = await program.ended;
  return { code, output };
}

test('a Postgres older than 18 is refused by the migrations, the processes and the commands, which say so', async () => {
  const old = await startOldServer();
  if (old === null) {
    process.stderr.write('An old Postgres is not tested: there is none on this machine\n');
    return;
  }
  const expected = `Postgres 18 or newer is needed, and the server of DATABASE_URL is Postgres ${old.version}`;
  try {
    await expect(migrate(old.url)).rejects.toThrow(expected);
    const ends = [await outputOf('tools/migrate', { DATABASE_URL: old.url })];
    for (const kind of ['api', 'worker'] as const) {
      const running = await processes.begin(kind, { DATABASE_URL: old.url });
      const { code } = await running.ended;
      ends.push({ code, output: running.output() });
    }
    ends.push(await outputOf('tools/cli', { DATABASE_URL: old.url }, 'team', 'list'));
    for (const { output } of ends) {
      expect(output).toContain(expected);
      expect(output).not.toMatch(/^ +at /m);
    }
    expect(ends.map(({ code }) => code)).toEqual([2, 1, 1, 2]);
  } finally {
    await old.stop();
  }
}, 180_000);

describe('a login role', () => {
  const LOGIN = `outdial_login_${process.pid}`;
  let url: string;
  let owner: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    owner = database.url;
    const admin = new Client({ connectionString: owner });
    await admin.connect();
    await admin.query(`CREATE ROLE ${LOGIN} LOGIN PASSWORD 'secret' IN ROLE outdial_app NOINHERIT`);
    const login = new URL(owner);
    login.username = LOGIN;
    login.password = 'secret';
    url = login.toString();
    drop = async () => {
      await admin.query(`DROP ROLE ${LOGIN}`);
      await admin.end();
      await database.drop();
    };
  });
  afterAll(() => drop());

  test('cannot migrate or run commands, and both name the missing variable', async () => {
    const migration = await outputOf('tools/migrate', { DATABASE_URL: url });
    const command = await outputOf('tools/cli', { DATABASE_URL: url }, 'team', 'list');
    expect(command).toEqual({
      code: 2,
      output: expect.stringMatching(
        /^The user of the connection has no operator rights: set DATABASE_OPERATOR_URL/,
      ) as string,
    });
    expect(command.output).not.toMatch(/^ +at /m);
    expect(migration.output).toMatch(
      /^The user of DATABASE_URL is not the owner of the schema: set DATABASE_OPERATOR_URL/,
    );
    expect(migration.output).not.toMatch(/^ +at /m);
    expect(migration.code).toBe(1);
  });

  test('migrates with DATABASE_OPERATOR_URL, as every command', async () => {
    const migration = await outputOf('tools/migrate', { DATABASE_URL: url, DATABASE_OPERATOR_URL: owner });
    expect(migration).toEqual({ code: 0, output: 'Nothing to migrate\n' });
  });
});

test('a database of a version before 1.0 is refused by the migrations, the processes and the commands', async () => {
  const database = await createTestDatabase();
  const { url } = database;
  const client = new Client({ connectionString: url });
  await client.connect();
  const changes = async () => {
    const { rows } = await client.query<object>(
      `SELECT (SELECT string_agg(name, ' ') FROM migrations), n_tup_ins + n_tup_upd + n_tup_del AS changed, database_identity IS NULL AS unused
       FROM pg_stat_user_tables LEFT JOIN database_identity ON true WHERE relname = 'platform_settings'`,
    );
    return rows;
  };
  try {
    await client.query(`UPDATE migrations SET name = 'InitialSchema1763700000000'`);
    const before = await changes();
    const ends = [await outputOf('tools/migrate', { DATABASE_URL: url })];
    for (const kind of ['api', 'worker'] as const) {
      const running = await processes.begin(kind, { DATABASE_URL: url });
      const { code } = await running.ended;
      ends.push({ code, output: running.output() });
    }
    ends.push(await outputOf('tools/cli', { DATABASE_URL: url }, 'team', 'list'));
    for (const { output } of ends) {
      expect(output).toMatch(/the database is of a version before 1\.0, .* new, empty database/);
      expect(output).not.toMatch(/^ +at /m);
    }
    expect(ends.map(({ code }) => code)).toEqual([2, 1, 1, 2]);
    expect(await changes()).toEqual(before);
  } finally {
    await client.end();
    await database.drop();
  }
}, 180_000);

test('before the migrations, processes start, are not ready, and name the command', async () => {
  const empty = await createEmptyDatabase();
  try {
    for (const kind of ['api', 'worker'] as const) {
      const running = await processes.begin(kind, { DATABASE_URL: empty.url });
      const text = await eventually(
        () =>
          fetch(`${running.url}/health/ready`).then(
            (answer) => answer.text(),
            () => '',
          ),
        (found) => found.includes('not run') || running.child.exitCode !== null,
        60_000,
      );
      expect(text).toMatch(/not run: .*npm run migrate.*node dist\/tools\/migrate\.js/);
      running.child.kill('SIGKILL');
      await running.ended;
    }
  } finally {
    await empty.drop();
  }
}, 180_000);
