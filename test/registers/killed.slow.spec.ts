import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { buildIfNeeded } from '../../tools/stack/processes.js';
import { temporaryDirectory } from '../carriers/support.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const root = resolve(__dirname, '../..');
const NUMBERS = 100_000;
/** In milliseconds: a busy machine starts a command slowly. */
const PATIENCE = 150_000;

jest.setTimeout(2 * PATIENCE);

const directory = temporaryDirectory();
let database: TestDatabase;
let db: DataSource;

beforeAll(async () => {
  await buildIfNeeded();
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
}, 300_000);
afterAll(async () => {
  await db.destroy();
  await database.drop();
  directory.remove();
});

/** The built command. */
function importing(path: string, ...options: string[]): ChildProcess {
  const argv = ['dist/src/cli.js', 'register', 'import', 'us-ftc-dnc', path, '--format', 'ftc', ...options];
  return spawn(process.execPath, argv, {
    cwd: root,
    env: { PATH: process.env.PATH, TZ: 'UTC', DATABASE_URL: database.url },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}

const ended = async (child: ChildProcess) => (await once(child, 'exit')) as [number | null, string | null];

/** Numbers of a version; their last digits do not repeat. */
function fileOf(name: string, first: number): string {
  const lines = Array.from({ length: NUMBERS }, (_, n) => String(2_120_000_000 + first + 7 * n));
  const path = join(directory.path, name);
  writeFileSync(path, lines.map((digits) => `${digits.slice(0, 3)},${digits.slice(3)}\n`).join(''));
  return path;
}

async function state() {
  const [row] = await db.query<{ tables: string[]; versions: number; listed: number }[]>(
    `SELECT ARRAY(SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relname LIKE 'register_numbers_%') AS tables,
       (SELECT count(*)::integer FROM register_versions WHERE status = 'in_force') AS versions,
       (SELECT count(*)::integer FROM register_numbers) AS listed`,
  );
  return row;
}

test('every number of the files is listed, and no other', async () => {
  expect(await ended(importing(fileOf('first.txt', 0)))).toEqual([0, null]);
  expect(await state()).toMatchObject({ versions: 1, listed: NUMBERS });
  // The key keeps a number from being there twice.
  const [row] = await db.query<object[]>(
    `SELECT count(*)::integer AS listed, min(number)::float8 AS first, max(number)::float8 AS last,
       count(*) FILTER (WHERE (number - 12120000000) % 7 <> 0)::integer AS wrong FROM register_numbers`,
  );
  const first = 12_120_000_000;
  expect(row).toEqual({ listed: NUMBERS, first, last: first + 7 * (NUMBERS - 1), wrong: 0 });
});

describe('an import that is killed', () => {
  /** Statements of the import that run now. */
  const running = (pattern: string) => () =>
    db.query<object[]>(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'outdial-registers%' AND query LIKE $1`,
      [pattern],
    );

  async function killed(child: ChildProcess, pattern: string): Promise<void> {
    await eventually(running(pattern), (found) => found.length > 0, PATIENCE);
    child.kill('SIGKILL');
    expect(await ended(child)).toEqual([null, 'SIGKILL']);
  }

  test('while it copies leaves the older version, and nothing of its own', async () => {
    const before = await state();
    // The pipe stays open, so that the command copies until it is killed.
    const child = importing('-', '--force');
    child.stdin?.write('212,9999999\n');
    await killed(child, 'COPY register_numbers_%');
    expect(await eventually(state, (now) => now?.tables.length === 1)).toEqual(before);
  });

  test('while it waits to replace the version leaves the older one, and nothing of its own', async () => {
    const before = await state();
    // A transaction that has read registers and does not end.
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM register_numbers LIMIT 0');
    await killed(importing(fileOf('second.txt', 1)), 'LOCK TABLE register_numbers%');
    await reader.end();
    expect(await eventually(state, (now) => now?.tables.length === 1)).toEqual(before);
  });
});

test('the next import is as if there had been none', async () => {
  expect(await ended(importing(fileOf('third.txt', 2)))).toEqual([0, null]);
  expect(await state()).toMatchObject({ versions: 1, listed: NUMBERS });
  const [row] = await db.query<{ facts: object[] }[]>(`SELECT registers_of('{+12120000002}') AS facts`);
  expect(row?.facts).toEqual([expect.objectContaining({ listed: true })]);
});
