import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { hashOfToken, newToken } from '../../src/people/secret-token.js';
import { buildTeam, insertRow } from '../support/builders.js';
import { CliTerminal } from './terminal.js';

const PASSWORD = 'tulip-orbit-mandate';

interface PrintedUser {
  id: string;
  email: string;
  operator: boolean;
  hasAccount: boolean;
  memberships: { teamId: string; role: string }[];
  link?: string;
}

let database: TestDatabase;
let db: DataSource;
let terminal: CliTerminal;
let teamId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  terminal = new CliTerminal(database, { PORT: '4000' });
  ({ id: teamId } = await buildTeam(db, { name: 'Northwind' }));
});
afterAll(async () => {
  await db?.destroy();
  await database?.drop();
});

test('an operator is made at once with a password from standard input, and printed as JSON', async () => {
  const said = await terminal.runWith(
    `${PASSWORD}\n`,
    'user',
    'create',
    'Ops@Example.com',
    '--operator',
    '--password-stdin',
  );
  expect([said.code, said.told]).toEqual([0, '']);
  const user = JSON.parse(said.out) as PrintedUser;
  expect(user).toMatchObject({ email: 'ops@example.com', operator: true, hasAccount: true, memberships: [] });
  expect(said.out).not.toContain(PASSWORD);
  expect(user).not.toHaveProperty('link');
  const [row] = await db.query<{ password_hash: string }[]>('SELECT password_hash FROM users WHERE id = $1', [
    user.id,
  ]);
  expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a member is made with a role in a team that is named', async () => {
  const said = await terminal.runWith(
    PASSWORD,
    'user',
    'create',
    'ada@example.com',
    '--team',
    'Northwind',
    '--role',
    'manager',
    '--password-stdin',
  );
  expect((JSON.parse(said.out) as PrintedUser).memberships).toMatchObject([{ teamId, role: 'manager' }]);
});

test('without a password it prints a link at PUBLIC_URL, or at the port of this machine', async () => {
  const invite = async (environment: NodeJS.ProcessEnv) => {
    const said = await new CliTerminal(database, environment).run(
      'user',
      'create',
      'bob@example.com',
      '--team',
      teamId,
      '--role',
      'viewer',
    );
    return JSON.parse(said.out) as PrintedUser;
  };
  const user = await invite({ PORT: '4000' });
  expect(user).toMatchObject({ email: 'bob@example.com', operator: false, hasAccount: false });
  expect(user.link).toMatch(/^http:\/\/127\.0\.0\.1:4000\/invite\/[\w-]{43}$/);
  const { link } = await invite({ PUBLIC_URL: 'https://outdial.example.com' });
  expect(link).toMatch(/^https:\/\/outdial\.example\.com\/invite\/[\w-]{43}$/);
});

test.each([
  [[], '--operator is missing, or --team <team> and --role <role>'],
  [['--operator', '--team', 'Northwind', '--role', 'viewer'], 'one of the two'],
  [['--team', 'Northwind'], 'one of the two'],
  [['--team', 'Northwind', '--role', 'owner'], '--role must be one of viewer, manager, admin'],
])('user create with %j is refused', async (options, message) => {
  const said = await terminal.run('user', 'create', 'eve@example.com', ...options);
  expect([said.code, said.told]).toEqual([2, expect.stringContaining(message)]);
});

test('a weak password, a known e-mail and an unknown team are refused', async () => {
  const create = (password: string, email: string, ...options: string[]) =>
    terminal.runWith(password, 'user', 'create', email, ...options, '--password-stdin');
  const weak = await create('password12345', 'eve@example.com', '--operator');
  expect([weak.code, weak.told]).toEqual([2, expect.stringContaining('is too easy to guess')]);
  const known = await create(PASSWORD, 'ops@example.com', '--operator');
  expect([known.code, known.told]).toEqual([1, 'There is a user with this e-mail address.']);
  const unknown = await create(PASSWORD, 'eve@example.com', '--team', 'Eastwind', '--role', 'viewer');
  expect([unknown.code, unknown.told]).toEqual([1, expect.stringContaining('Team not found')]);
});

test('user list shows everybody with their roles', async () => {
  const { out } = await terminal.run('user', 'list');
  expect(out).toMatch(/ada@example\.com\s+no\s+Northwind \(manager\)\s+yes/);
  expect(out).toMatch(/ops@example\.com\s+yes\s+-\s+yes/);
});

test('user reset-second-factor turns it off, ends the sessions, and is in the audit log', async () => {
  const { id } = await insertRow<{ id: string }>(db, 'users', {
    email: 'lost@example.com',
    totp_secret: 'sealed',
    totp_last_step: 5,
    recovery_codes: ['a'],
  });
  await insertRow(db, 'sessions', { token_hash: hashOfToken(newToken()), user_id: id });
  const said = await terminal.run('user', 'reset-second-factor', 'Lost@example.com');
  expect([said.code, said.out]).toEqual([0, 'Turned off: the password alone signs the person in.']);
  const [row] = await db.query<object[]>(
    `SELECT totp_secret, totp_last_step, recovery_codes, (SELECT count(*) FROM sessions WHERE user_id = u.id)::int AS sessions
     FROM users u WHERE id = $1`,
    [id],
  );
  expect(row).toEqual({ totp_secret: null, totp_last_step: null, recovery_codes: [], sessions: 0 });
  const rows = await db.query<object[]>(
    `SELECT actor_kind FROM audit_log WHERE target_id = $1 AND action = 'second_factor.disabled'`,
    [id],
  );
  expect(rows).toEqual([{ actor_kind: 'cli' }]);
  const again = await terminal.json<object>('user', 'reset-second-factor', 'lost@example.com');
  expect(again).toEqual({ id, reset: false });
  expect((await terminal.run('user', 'reset-second-factor', 'unknown@example.com')).code).toBe(1);
  await db.query('DELETE FROM users WHERE id = $1', [id]);
});

test('user reset prints a link, and user remove removes the person, but not the last operator', async () => {
  const reset = await terminal.json<{ link: string }>('user', 'reset', 'Ada@example.com');
  expect(reset.link).toMatch(/^http:\/\/127\.0\.0\.1:4000\/reset\/[\w-]{43}$/);
  const removed = await terminal.run('user', 'remove', 'ada@example.com');
  expect([removed.code, removed.out]).toEqual([0, 'Removed: the person can no longer sign in.']);
  const again = await terminal.run('user', 'remove', 'ada@example.com');
  expect([again.code, again.told]).toEqual([
    1,
    expect.stringContaining('User not found. See `npm run cli -- user list`'),
  ]);
  const last = await terminal.run('user', 'remove', 'ops@example.com');
  expect([last.code, last.told]).toEqual([1, expect.stringContaining('The platform needs an operator')]);
});
