import { execFileSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { type RegisterFact } from '../../src/domain/compliance/facts.js';
import {
  ADD_VERSION,
  attachTable,
  createTable,
  dropTable,
  END_VERSION,
  LOCK_NUMBERS,
} from '../../src/registers/registers.sql.js';
import { type RegisterResource } from '../../src/registers/registers.service.js';
import { temporaryDirectory } from '../carriers/support.js';
import { CliTerminal } from '../cli/terminal.js';
import { asTeam, attempt, connectRestricted } from '../database/restricted.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { zipOf } from './zip.js';

const directory = temporaryDirectory();
let database: TestDatabase;
let db: DataSource;
let cli: CliTerminal;

beforeEach(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  cli = new CliTerminal(database);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});
afterAll(() => directory.remove());

function file(name: string, content: string | Buffer): string {
  const path = join(directory.path, name);
  writeFileSync(path, content);
  return path;
}

const factsOf = async (...numbers: string[]) => {
  const [row] = await db.query<{ facts: RegisterFact[] }[]>('SELECT registers_of($1) AS facts', [numbers]);
  return row?.facts ?? [];
};

/** Tables of numbers, attached or not. */
const tables = async () => {
  const rows = await db.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE 'register_numbers_%' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

const importing = (register: string, path: string, format: string, ...options: string[]) =>
  cli.run('register', 'import', register, path, '--format', format, ...options);

test('a register is imported, looked up, and listed', async () => {
  expect(await factsOf('+12125550123')).toEqual([]);
  const path = file('ftc.txt', '212,5550123\n212,5550124\n');
  const said = await importing('us-ftc-dnc', path, 'ftc', '--as-of', '2025-11-01');
  expect(said).toEqual({
    code: 0,
    told: '',
    out: 'us-ftc-dnc is in force as of 2025-11-01T00:00:00.000Z: 2 numbers of 1 area code, the first (version 1).',
  });
  const asOf = '2025-11-01T00:00:00.000Z';
  expect(await factsOf('+12125550123')).toEqual([{ register: 'us-ftc-dnc', asOf, listed: true }]);
  expect(await factsOf('+12125550125')).toEqual([{ register: 'us-ftc-dnc', asOf, listed: false }]);
  const { items } = await cli.json<{ items: RegisterResource[] }>('register', 'list');
  expect(items).toEqual([
    expect.objectContaining({
      register: 'us-ftc-dnc',
      status: 'in_force',
      numbers: 2,
      areas: 1,
      format: 'ftc',
      asOf,
    }),
  ]);
  expect((await cli.run('register', 'list')).out).toMatch(/^REGISTER +VERSION +STATUS/);
});

test('of a number in an area code that the files are not about, a register says nothing', async () => {
  const path = file('ac.txt', '212,5550123\n');
  await importing('us-ftc-dnc', path, 'ftc');
  expect(await factsOf('+14155550123')).toEqual([]);
  await importing('us-ftc-dnc', path, 'ftc', '--complete');
  expect(await factsOf('+14155550123')).toEqual([expect.objectContaining({ listed: false })]);
});

test('each form of a number is looked up, in every register', async () => {
  await importing('mx-repep', file('mx.txt', '+5215512345678\n'), 'list', '--as-of', '2025-11-01');
  await importing('gb-tps', file('tps.txt', '0207 3787244\r\n'), 'tps', '--as-of', '2025-11-02');
  expect(await factsOf('+525512345678', '+5215512345678')).toEqual([
    { register: 'gb-tps', asOf: '2025-11-02T00:00:00.000Z', listed: false },
    { register: 'mx-repep', asOf: '2025-11-01T00:00:00.000Z', listed: true },
  ]);
  expect(await factsOf('not a number', '')).toEqual([
    expect.objectContaining({ listed: false }),
    expect.objectContaining({ listed: false }),
  ]);
});

test('a new version replaces the older, whose row stays and whose numbers go', async () => {
  await importing('gb-tps', file('1.txt', '02073787244\n02073787245\n'), 'tps', '--as-of', '2025-10-01');
  const said = await importing('gb-tps', file('2.txt', '02073787246\n'), 'tps', '--as-of', '2025-11-01');
  expect(said.out).toContain('1 numbers, in place of 2');
  expect(await factsOf('+442073787244')).toEqual([expect.objectContaining({ listed: false })]);
  expect(await factsOf('+442073787246')).toEqual([expect.objectContaining({ listed: true })]);
  expect(await tables()).toHaveLength(1);
  const { items } = await cli.json<{ items: RegisterResource[] }>('register', 'list', '--all');
  expect(items.map(({ status, numbers }) => [status, numbers])).toEqual([
    ['in_force', 1],
    ['replaced', 2],
  ]);
});

test('a number that is repeated counts once', async () => {
  const paths = [
    file('tps.txt', '02073787244\n02073787245\n'),
    file('ctps.txt', '02073787244\n02073787244\n'),
  ];
  const said = await cli.run('register', 'import', 'gb-tps+ctps', ...paths, '--format', 'tps');
  expect(said.out).toContain(': 2 numbers, the first');
  expect(await factsOf('+442073787244')).toEqual([expect.objectContaining({ listed: true })]);
});

test('without --as-of, a register is as old as the oldest of its files', async () => {
  const paths = [
    file('a.zip', zipOf([{ name: 'a.csv', content: '416,1234567\n' }])),
    file('b.csv', '905,1234567\n'),
  ];
  utimesSync(paths[1]!, new Date(), new Date('2025-09-01T12:00:00Z'));
  const said = await cli.run('register', 'import', 'ca-dncl', ...paths, '--format', 'lnnte');
  expect(said.out).toContain('as of 2025-09-01T12:00:00.000Z: 2 numbers of 2 area codes');
});

test('what is refused changes nothing', async () => {
  const good = file('good.txt', '02073787244\n02073787245\n02073787246\n');
  await importing('gb-tps', good, 'tps', '--as-of', '2025-11-01');
  const before = await tables();
  const cases: [path: string, options: string[], message: RegExp][] = [
    [file('bad.txt', '02073787247\nJane Doe 02073787248\n'), [], /bad\.txt: line 2 is not a British number/],
    [file('empty.txt', '\n\n'), [], /file has no numbers/],
    [join(directory.path, 'none.txt'), [], /cannot be read \(ENOENT\)/],
    [
      good,
      ['--as-of', '2025-10-31'],
      /--as-of 2025-10-31T00:00:00.000Z is before that of the version in force/,
    ],
    [good, ['--as-of', '2999-01-01'], /--as-of must not be in the future/],
    [good, ['--as-of', 'yesterday'], /--as-of must be a date such as/],
    [good, ['--as-of', '2026-02-31', '--force'], /--as-of must be a date such as/],
    [good, ['--as-of', '2026-02-31T06:00:00Z', '--force'], /--as-of must be a date such as/],
    [good, ['--country', 'XX'], /--country must be a country code/],
    [file('few.txt', '02073787244\n'), [], /file has 1 numbers, less than half of the 3 in force/],
  ];
  for (const [path, options, message] of cases) {
    const said = await importing('gb-tps', path, 'tps', ...options);
    expect([options, said.code]).toEqual([options, 2]);
    expect(said.told).toMatch(message);
    expect(said.told).not.toContain('Jane');
  }
  expect((await importing('Gb Tps', good, 'tps')).told).toMatch(
    /register must be a name of lower-case letters/,
  );
  expect((await importing('gb-tps', good, 'csv')).told).toMatch(
    /--format must be one of ftc, lnnte, tps, list/,
  );
  expect(await tables()).toEqual(before);
  expect(await factsOf('+442073787246')).toEqual([expect.objectContaining({ listed: true })]);
  const forced = await importing(
    'gb-tps',
    file('few.txt', '02073787244\n'),
    'tps',
    '--as-of',
    '2025-10-01',
    '--force',
  );
  expect(forced).toMatchObject({ code: 0 });
});

test('a register is removed with its numbers, and its row says so', async () => {
  await importing('ae-dncr', file('ae.txt', '+971501234567\n'), 'list');
  expect(await cli.run('register', 'remove', 'ae-dncr')).toMatchObject({ code: 0, out: 'Removed ae-dncr.' });
  expect(await factsOf('+971501234567')).toEqual([]);
  expect(await tables()).toEqual([]);
  const { items } = await cli.json<{ items: RegisterResource[] }>('register', 'list', '--all');
  expect(items).toEqual([
    expect.objectContaining({ status: 'removed', endedAt: expect.any(String) as string }),
  ]);
  expect(await cli.run('register', 'remove', 'ae-dncr')).toMatchObject({ code: 1 });
});

test('the audit log names who imported, replaced and removed a register', async () => {
  const path = file('audited.txt', '+971501234567\n');
  await importing('ae-dncr', path, 'list');
  await importing('ae-dncr', path, 'list');
  await cli.run('register', 'remove', 'ae-dncr');
  const rows = await db.query<object[]>(
    `SELECT action, target_id AS register, actor_kind AS kind FROM audit_log WHERE target_type = 'register' ORDER BY id`,
  );
  const actions = ['created', 'replaced', 'created', 'removed'];
  expect(rows).toEqual(
    actions.map((action) => ({ action: `register.${action}`, register: 'ae-dncr', kind: 'cli' })),
  );
});

test('the processes read registers, and change nothing of them', async () => {
  await importing('ae-dncr', file('roles.txt', '+971501234567\n'), 'list');
  const restricted = await connectRestricted(database.url);
  try {
    expect(await attempt(restricted, `SELECT registers_of('{+971501234567}') AS facts`)).toEqual([
      { facts: [expect.objectContaining({ listed: true })] },
    ]);
    for (const text of [
      'DELETE FROM register_numbers',
      'UPDATE register_versions SET numbers = 1',
      'INSERT INTO register_numbers VALUES (1, 1)',
      'TRUNCATE register_numbers',
      'SELECT FROM register_numbers_1',
    ])
      expect([text, await asTeam(restricted, null, () => attempt(restricted, text))]).toEqual([
        text,
        '42501',
      ]);
  } finally {
    await restricted.end();
  }
});

test('a look-up reads an index of each register, and no more', async () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `+97150${1_000_000 + n}`).join('\n');
  await importing('ae-dncr', file('plan.txt', lines), 'list');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const read = async () => {
      await client.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await client.query<{ blocks: number }>(
        `SELECT (SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)
           FROM pg_statio_user_tables WHERE relname LIKE 'register_numbers_%')::integer AS blocks`,
      );
      return rows[0]?.blocks ?? NaN;
    };
    await client.query(`SELECT registers_of('{+971501000000}')`);
    const before = await read();
    for (let n = 0; n < 100; n += 1) await client.query(`SELECT registers_of('{+971501000500}')`);
    // The root and a leaf of the index, and at most the page of the row.
    expect((await read()) - before).toBeLessThanOrEqual(3 * 101);
  } finally {
    await client.end();
  }
});

describe('while a version is replaced', () => {
  const versions = [
    { path: () => file('odd.txt', '+971501111111\n+971500000000\n'), own: '+971501111111' },
    { path: () => file('even.txt', '+971502222222\n+971500000000\n'), own: '+971502222222' },
  ];

  test('every look-up is by a whole version', async () => {
    const import_ = (round: number) =>
      importing(
        'ae-dncr',
        versions[round % 2]!.path(),
        'list',
        '--as-of',
        `2025-0${1 + (round % 2)}-01`,
        '--force',
      );
    await import_(0);
    let running = true;
    let looked = 0;
    const faults: RegisterFact[][] = [];
    const reader = async () => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      while (running) {
        for (const number of ['+971501111111', '+971502222222', '+971500000000']) {
          const { rows } = await client.query<{ facts: RegisterFact[] }>({
            name: 'look_up',
            text: 'SELECT registers_of($1) AS facts',
            values: [[number]],
          });
          const facts = rows[0]?.facts ?? [];
          const inForce = facts[0]?.asOf.startsWith('2025-01') ? versions[0] : versions[1];
          const listed = number === '+971500000000' || number === inForce?.own;
          if (facts.length !== 1 || facts[0]?.listed !== listed) faults.push(facts);
          looked += 1;
        }
      }
      await client.end();
    };
    const readers = [reader(), reader(), reader()];
    for (let round = 1; round <= 12; round += 1) expect(await import_(round)).toMatchObject({ code: 0 });
    running = false;
    await Promise.all(readers);
    expect(looked).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  test('a look-up that has begun before waits, and is by the new version', async () => {
    await importing('ae-dncr', versions[0]!.path(), 'list', '--as-of', '2025-01-01');
    const replacing = new Client({ connectionString: database.url });
    const reading = new Client({ connectionString: database.url });
    await Promise.all([replacing.connect(), reading.connect()]);
    try {
      await replacing.query('BEGIN');
      await replacing.query(LOCK_NUMBERS);
      const facts = reading.query<{ facts: RegisterFact[] }>(
        `SELECT registers_of('{+971500000000}') AS facts`,
      );
      await eventually(
        () =>
          db.query<object[]>(
            `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          ),
        (waiting) => waiting.length === 1,
      );
      const { rows: ended } = await replacing.query<{ id: number }>(END_VERSION, ['ae-dncr', 'replaced']);
      await replacing.query(createTable(77));
      await replacing.query('INSERT INTO register_numbers_77 VALUES (971500000000)');
      await replacing.query(attachTable(77));
      await replacing.query(ADD_VERSION, [77, 'ae-dncr', 'list', '2025-02-01T00:00:00Z', 1, null]);
      await replacing.query(dropTable(ended[0]!.id));
      await replacing.query('COMMIT');
      expect((await facts).rows[0]?.facts).toEqual([
        { register: 'ae-dncr', asOf: '2025-02-01T00:00:00.000Z', listed: true },
      ]);
    } finally {
      await Promise.all([replacing.end(), reading.end()]);
    }
  });
});

describe('an import that is under way', () => {
  /** A file that does not end until it is closed. */
  function endless(name: string) {
    const path = join(directory.path, name);
    execFileSync('mkfifo', [path]);
    return { path, opened: open(path, 'w') };
  }

  const COPYING = `
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'COPY register_numbers_%' AND state = 'active'`;

  /** The session that copies. */
  async function copying(): Promise<number> {
    const ask = () => db.query<{ pid: number }[]>(COPYING);
    const [row] = await eventually(ask, (rows) => rows.length === 1);
    return row!.pid;
  }

  test('does not change the version in force, and another import of the register is refused', async () => {
    const path = file('first.txt', '+971501234567\n');
    await importing('ae-dncr', path, 'list');
    const source = endless('growing');
    const under = cli.run(
      'register',
      'import',
      'ae-dncr',
      source.path,
      '--format',
      'list',
      '--as-of',
      '2025-01-01',
      '--force',
    );
    const writing = await source.opened;
    await writing.write('+971507654321\n');
    await copying();
    expect(await factsOf('+971501234567')).toEqual([expect.objectContaining({ listed: true })]);
    expect(await factsOf('+971507654321')).toEqual([expect.objectContaining({ listed: false })]);
    const other = await importing('ae-dncr', path, 'list');
    expect(other).toMatchObject({
      code: 1,
      told: expect.stringContaining('Another import of ae-dncr') as string,
    });
    expect(await importing('gb-tps', file('other.txt', '02073787244\n'), 'tps')).toMatchObject({ code: 0 });
    await writing.close();
    expect(await under).toMatchObject({ code: 0 });
    expect(await factsOf('+971507654321')).toContainEqual(
      expect.objectContaining({ register: 'ae-dncr', listed: true }),
    );
  });

  test('leaves the older version in force, and nothing else, when its connection ends', async () => {
    await importing('ae-dncr', file('before.txt', '+971501234567\n'), 'list');
    const before = await tables();
    const source = endless('broken');
    const under = importing('ae-dncr', source.path, 'list', '--as-of', '2025-01-01', '--force');
    const writing = await source.opened;
    await writing.write('+971507654321\n');
    const pid = await copying();
    await db.query('SELECT pg_terminate_backend($1)', [pid]);
    await writing.close();
    expect(await under).toMatchObject({ code: 1 });
    await eventually(tables, (now) => now.join() === before.join());
    expect(await factsOf('+971501234567')).toEqual([expect.objectContaining({ listed: true })]);
  });
});
