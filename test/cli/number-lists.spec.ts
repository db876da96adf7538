import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { temporaryDirectory } from '../carriers/support.js';
import { buildTeam } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { CliTerminal } from './terminal.js';

const directory = temporaryDirectory();
let database: TestDatabase;
let db: DataSource;
let cli: CliTerminal;
let team: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  cli = new CliTerminal(database);
});

beforeEach(async () => {
  ({ id: team } = await buildTeam(db, { default_country: 'US' }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
  directory.remove();
});

function file(name: string, ...lines: string[]): string {
  const path = join(directory.path, name);
  writeFileSync(path, lines.join('\n'));
  return path;
}

const numbersOf = async (table: string) => {
  const rows = await db.query<{ phone_number: string }[]>(
    `SELECT phone_number FROM ${table} WHERE team_id = $1 ORDER BY 1`,
    [team],
  );
  return rows.map((row) => row.phone_number);
};

test('numbers are added, checked, and removed', async () => {
  const add = await cli.run(
    'dnc',
    'add',
    '+14155550111',
    '(415) 555-0112',
    '--team',
    team,
    '--reason',
    'asked',
  );
  expect(add).toEqual({ code: 0, out: 'Added 2 to the Do Not Call list; 0 were on it before.', told: '' });
  expect(await cli.json('dnc', 'check', '415 555 0111', '--team', team)).toMatchObject({
    listed: true,
    phoneNumber: '+14155550111',
    reason: 'asked',
  });
  expect((await cli.run('dnc', 'check', '+14155550113', '--team', team)).out).toBe(
    '+14155550113 is not on the list.',
  );
  // A mistyped number must not be reported as one that may be called.
  expect(await cli.run('dnc', 'check', '+1415555', '--team', team)).toMatchObject({ code: 2, out: '' });

  const remove = ['dnc', 'remove', '+14155550111', '+14155550119', '--team', team];
  expect(await cli.run(...remove)).toEqual({
    code: 1,
    out: 'Removed 1.',
    told: '+14155550119 is not on the Do Not Call list',
  });
  expect(await numbersOf('do_not_call')).toEqual(['+14155550112']);
});

test('valid numbers of the command line are added, and each invalid one is named', async () => {
  const said = await cli.run('dnc', 'add', '+14155550111', 'no-number', '--team', team);
  expect(said).toEqual({
    code: 1,
    out: 'Added 1 to the Do Not Call list; 0 were on it before, 1 were bad.',
    told: 'Number 2 is not a phone number',
  });
  expect(await numbersOf('do_not_call')).toEqual(['+14155550111']);
  const json = await cli.run('whitelist', 'add', '+14155550111', 'no-number', '--team', team, '--json');
  expect(JSON.parse(json.out)).toMatchObject({ added: 1, rejected: [{ phoneNumber: 'no-number' }] });
});

test('numbers of the platform’s list are added, and each one in doubt or invalid is named', async () => {
  const said = await cli.run('platform-dnc', 'add', '+493012345678/79', 'no-number', '--reason', 'asked');
  expect(said).toEqual({
    code: 1,
    out: 'Added 2 to the platform’s Do Not Call list; 0 were on it before, 1 were bad.',
    told:
      'Number 2 is not a phone number\n' +
      '+493012345678/79: can be several numbers, which are all listed: +493012345678, +493012345679',
  });
  const again = await cli.run('platform-dnc', 'add', '+493012345679');
  expect(again).toMatchObject({
    code: 0,
    out: 'Added 0 to the platform’s Do Not Call list; 1 were on it before.',
  });
});

test('a command line without a valid number is wrong usage', async () => {
  const said = await cli.run('dnc', 'add', 'no-number', '--team', team);
  expect(said).toMatchObject({
    code: 2,
    told: expect.stringMatching(/^Number 1 is not a phone/) as unknown,
  });
  expect(await numbersOf('do_not_call')).toEqual([]);
});

test('valid lines of a file are added; each invalid one is named, and the exit code is 1', async () => {
  const path = file(
    'mixed.txt',
    '# asked by letter',
    '',
    '+14155550111',
    '(415) 555-0112   # of Ms Jones\r',
    'no-number',
    '+14155550111',
    '+1 900 555 0100',
    '\t415.555.0113 ',
  );
  const said = await cli.run('dnc', 'add', '--file', path, '--team', team, '--reason', 'letter');
  expect(said).toEqual({
    code: 1,
    out: 'Added 4 to the Do Not Call list; 1 were on it before, 1 lines were bad.',
    told: `${path}:5: phoneNumber is not a phone number`,
  });
  expect(await numbersOf('do_not_call')).toEqual([
    '+14155550111',
    '+14155550112',
    '+14155550113',
    // Never dialed, and an opt-out all the same.
    '+19005550100',
  ]);
  const json = await cli.run('whitelist', 'add', '--file', path, '--team', team, '--json');
  expect(JSON.parse(json.out)).toMatchObject({
    numbers: 4,
    added: 3,
    bad: 2,
    badLines: [{ line: 5 }, { line: 7 }],
  });
  expect(await numbersOf('whitelist')).toHaveLength(3);
  expect(await cli.json('whitelist', 'remove', '+14155550111', '--team', team)).toEqual({
    removed: 1,
    missing: [],
  });
});

test('a number of an unknown range is added to the whitelist of a team that accepts it, also from a file', async () => {
  const path = file('unknown.txt', '+1 436 555 0123', '+14155550111');
  const add = () => cli.run('whitelist', 'add', '--file', path, '--team', team);
  expect(await add()).toMatchObject({ code: 1, told: `${path}:1: phoneNumber is not a valid phone number` });
  await cli.json('team', 'update', team, '--accept-unknown-ranges');
  expect(await add()).toMatchObject({ code: 0, told: '' });
  expect(await numbersOf('whitelist')).toEqual(['+14155550111', '+14365550123']);
});

test('a file from a spreadsheet: every reading of a line is listed, and other columns are ignored', async () => {
  const lines = [
    '\uFEFF4155550142',
    '415,5550143',
    '415-555-0144 x12',
    '4155550145,2026-01-01',
    '"4155550146"',
  ];
  const path = file('us.txt', ...lines, '', '(415) 555-0147\t', '4.155550148E9');
  const json = await cli.json<{ listed: { given: string }[] }>('dnc', 'add', '--file', path, '--team', team);
  expect(json).toMatchObject({ numbers: 7, added: 7, bad: 0 });
  expect(json.listed[1]).toEqual({ given: '415,5550143', phoneNumbers: ['+14155550143'] });
  expect(await numbersOf('do_not_call')).toEqual(
    [142, 143, 144, 145, 146, 147, 148].map((n) => `+14155550${n}`),
  );
  await db.query(`UPDATE teams SET default_country = 'DE' WHERE id = $1`, [team]);
  const german = file('de.txt', '1711234567.0', '4915112345678', '+49 30 901820', '030/901821');
  expect(await cli.run('dnc', 'add', '--file', german, '--team', team)).toEqual({
    code: 0,
    out: 'Added 5 to the Do Not Call list; 0 were on it before, 0 lines were bad.',
    told: `${german}:2: can be several numbers, which are all listed: +494915112345678, +4915112345678`,
  });
});

test('a long file is added in batches; a repeated run adds nothing and succeeds', async () => {
  const numbers = Array.from({ length: 1_050 }, (_, n) => `+1415555${String(1_000 + n)}`);
  const path = file('long.txt', ...numbers);
  const add = ['dnc', 'add', '--file', path, '--team', team];
  expect(await cli.run(...add)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Added 1050 /) as unknown,
  });
  expect(await cli.json(...add)).toMatchObject({ numbers: 1_050, added: 0, bad: 0, badLines: [] });
  expect(await numbersOf('do_not_call')).toHaveLength(1_050);
});

test('a file that fails half-way names the line from which on nothing was added', async () => {
  const numbers = Array.from({ length: 450 }, (_, n) => `+1415555${String(1_000 + n)}`);
  const path = file('half.txt', '# a comment', ...numbers);
  await db.query(
    `CREATE FUNCTION refuse_late() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF NEW.phone_number = '+14155551300' THEN RAISE 'no'; END IF; RETURN NEW; END $$`,
  );
  await db.query(
    'CREATE TRIGGER refuse_late BEFORE INSERT ON do_not_call FOR EACH ROW EXECUTE FUNCTION refuse_late()',
  );
  try {
    const said = await cli.run('dnc', 'add', '--file', path, '--team', team);
    expect(said.code).toBe(1);
    // Line 202 is the number after the first two hundred.
    expect(said.told).toContain('nothing from line 202 on was added');
    expect(await numbersOf('do_not_call')).toEqual(numbers.slice(0, 200));
  } finally {
    await db.query('DROP FUNCTION refuse_late CASCADE');
  }
});

test('an unreadable file is wrong usage, and so are numbers beside a file', async () => {
  const missing = await cli.run('dnc', 'add', '--file', '/nowhere.txt', '--team', team);
  expect(missing).toMatchObject({
    code: 2,
    told: expect.stringMatching(/^\/nowhere.txt cannot be read/) as unknown,
  });
  const both = await cli.run('dnc', 'add', '+14155550111', '--file', file('a.txt'), '--team', team);
  expect(both).toMatchObject({ code: 2, told: expect.stringMatching(/^Give numbers, or --file/) as unknown });
});

test('control characters of stored texts reach neither the terminal nor JSON', async () => {
  const reason = 'a\u001b[2J\u009b2Jb\u202ec\u{e0001}d';
  await db.query(`INSERT INTO do_not_call (team_id, phone_number, reason) VALUES ($1, '+14155550111', $2)`, [
    team,
    reason,
  ]);
  const path = file('\u001b]0;x\u0007.txt', 'no-number', '+14155550112');
  const said = [
    await cli.run('dnc', 'check', '+14155550111', '--team', team),
    await cli.run('dnc', 'list', '--team', team),
    await cli.run('dnc', 'add', '--file', path, '--team', team),
    await cli.run('dnc', 'remove', '\u001b[2J', '--team', team),
    await cli.run('dnc', 'check', '+14155550111', '--team', team, '--json'),
  ];
  for (const { out, told } of said)
    expect(`${out}${told}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(said.at(-1)?.out ?? '')).toMatchObject({ reason });
});

test('a list continues where its page ended, as text and as JSON', async () => {
  const numbers = ['+14155550111', '+14155550112', '+14155550113'];
  await cli.run('dnc', 'add', ...numbers, '--team', team, '--reason', 'asked');
  const first = await cli.run('dnc', 'list', '--team', team, '--limit', '2');
  expect(first.out.split('\n')).toHaveLength(3);
  const cursor = /^There are more: --cursor (\S+)$/.exec(first.told)?.[1] ?? '';
  expect(await cli.json('dnc', 'list', '--team', team, '--cursor', cursor)).toMatchObject({
    items: [{ phoneNumber: '+14155550113', reason: 'asked' }],
    nextCursor: null,
  });
});
