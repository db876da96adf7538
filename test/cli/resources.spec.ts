import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { temporaryDirectory } from '../carriers/support.js';
import { UUID } from '../operator/operator-api.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { CliTerminal, options } from './terminal.js';

const directory = temporaryDirectory();
let database: TestDatabase;
let db: DataSource;
let cli: CliTerminal;
let team: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  cli = new CliTerminal(database);
  ({ id: team } = await cli.json<{ id: string }>(
    'team',
    'create',
    ...options({ name: 'Acme', defaultCountry: 'US' }),
  ));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
  directory.remove();
});

test('team: each field is an option, none is null, and an update changes only named fields', async () => {
  const created = await cli.json(
    'team',
    'create',
    ...options({
      name: 'All of it',
      timezone: 'Europe/Berlin',
      defaultCountry: 'DE',
      allowedCountries: 'DE, AT',
      allowedCarriers: 'simulator, http',
      whitelistOnly: true,
      monthlyCallLimit: '100',
      numberDailyLimit: '1',
      numberWeeklyLimit: '2',
      numberMonthlyLimit: '3',
      maxConcurrentCalls: '4',
      callRetentionDays: '90',
      eventRetentionDays: 'none',
    }),
  );
  expect(created).toMatchObject({
    name: 'All of it',
    timezone: 'Europe/Berlin',
    defaultCountry: 'DE',
    allowedCountries: ['DE', 'AT'],
    allowedCarriers: ['simulator', 'http'],
    whitelistOnly: true,
    monthlyCallLimit: 100,
    numberDailyLimit: 1,
    numberWeeklyLimit: 2,
    numberMonthlyLimit: 3,
    maxConcurrentCalls: 4,
    paused: false,
    callRetentionDays: 90,
    eventRetentionDays: null,
  });
  const id = created.id as string;
  const changed = await cli.json(
    'team',
    'update',
    id,
    ...options({ allowedCountries: 'none', noWhitelistOnly: true, numberDailyLimit: 'none' }),
  );
  expect(changed).toEqual({
    ...created,
    allowedCountries: null,
    whitelistOnly: false,
    numberDailyLimit: null,
  });
  const platform = await cli.json('platform', 'update', '--call-retention-days', '60');
  expect(platform).toEqual({ paused: false, callRetentionDays: 60, eventRetentionDays: 7 });
  expect(await cli.json('platform', 'show')).toEqual(platform);
  const following = await cli.json('team', 'update', id, '--call-retention-days', 'platform');
  expect(following).toEqual({ ...changed, callRetentionDays: 60 });
  await cli.json('team', 'update', id, '--call-retention-days', '90');
  expect(await cli.json('team', 'pause', id)).toMatchObject({ paused: true });
  expect(await cli.json('team', 'resume', id)).toEqual(changed);
  expect(await cli.json('team', 'show', id)).toEqual(changed);
});

test('key: it can be limited to scopes and in time', async () => {
  const create = ['key', 'create', '--team', team, '--name', 'CRM'];
  const key = await cli.json(...create, '--scopes', 'read,calls', '--expires-at', '2099-03-28T09:00:00Z');
  expect(key).toMatchObject({ scopes: ['calls', 'read'], expiresAt: '2099-03-28T09:00:00.000Z' });
  expect((await cli.run('key', 'list', '--team', team)).out).toMatch(/SCOPES +EXPIRES AT +LAST USED AT/);
  await cli.run('key', 'revoke', key.id as string, '--team', team);
  expect((await cli.run(...create, '--scopes', 'admin')).told).toContain('--scopes must hold names of calls');
});

test('key: it is shown once, listed without its secret, and revoked', async () => {
  const { code, out } = await cli.run('key', 'create', '--team', team, '--name', 'CRM');
  expect(code).toBe(0);
  expect(out).toMatch(/^key +od_live_\w{43}$/m);
  expect(out).toContain('cannot be shown again');
  const { items } = await cli.json<{ items: { id: string }[] }>('key', 'list', '--team', team);
  expect(items).toEqual([expect.not.objectContaining({ key: expect.anything() as unknown })]);
  const id = items[0]!.id;
  expect((await cli.run('key', 'revoke', id, '--team', team)).code).toBe(0);
  expect(await cli.run('key', 'revoke', id, '--team', team)).toMatchObject({
    code: 1,
    told: 'API key not found. See `npm run cli -- key list --team <id>`.',
  });
});

test('numbers, pools and an agent with its hours and prompt from files', async () => {
  const number = await cli.json('number', 'add', '(415) 555-0100', '--team', team, '--no-active');
  expect(number).toMatchObject({ phoneNumber: '+14155550100', active: false, outboundEnabled: true });
  const active = await cli.json('number', 'update', number.id as string, '--team', team, '--active');
  expect(active).toMatchObject({ active: true });
  const pool = await cli.json(
    'pool',
    'create',
    ...options({ team, name: 'West', phoneNumbers: '+14155550100' }),
  );
  expect(pool).toMatchObject({ name: 'West', phoneNumbers: ['+14155550100'] });
  expect(
    await cli.json('pool', 'update', pool.id as string, '--team', team, '--phone-numbers', ''),
  ).toMatchObject({
    name: 'West',
    phoneNumbers: [],
  });

  const [hours, prompt] = [join(directory.path, 'hours.json'), join(directory.path, 'prompt.txt')];
  writeFileSync(hours, '{"monday":[{"start":"09:00","end":"17:00"}]}');
  writeFileSync(prompt, 'You call {{contact.name}}.\nBe kind.');
  const agent = await cli.json(
    'agent',
    'create',
    ...options({
      team,
      name: 'Ann',
      timezone: 'America/New_York',
      callingHours: `@${hours}`,
      closedDates: '2026-12-25,2027-01-01',
      promptTemplate: `@${prompt}`,
      firstMessageTemplate: 'Hello',
      outboundPhoneNumber: '+14155550100',
      numberPoolId: pool.id as string,
      carrier: 'simulator',
    }),
  );
  expect(agent).toMatchObject({
    callingHours: { monday: [{ start: '09:00', end: '17:00' }] },
    closedDates: ['2026-12-25', '2027-01-01'],
    promptTemplate: 'You call {{contact.name}}.\nBe kind.',
    outboundPhoneNumber: '+14155550100',
    numberPoolId: pool.id,
    carrier: 'simulator',
  });
  const update = ['agent', 'update', agent.id as string, '--team', team];
  expect(await cli.json(...update, '--calling-hours', 'any', '--carrier', 'none')).toEqual({
    ...agent,
    callingHours: null,
    carrier: null,
  });
  expect((await cli.run('agent', 'list', '--team', team)).out).toMatch(/^ID +NAME +TIMEZONE .*\n.* Ann /);
  expect(await cli.json('agent', 'delete', agent.id as string, '--team', team)).toMatchObject({
    deleted: true,
  });
});

test('the team is named by id, by name, or by OUTDIAL_TEAM', async () => {
  const { id } = await cli.json<{ id: string }>('team', 'create', '--name', 'North & Sons');
  await cli.json('number', 'add', '+14155550177', '--team', 'North & Sons');
  const numbersOf = async (terminal: CliTerminal, ...team: string[]) => {
    const { items } = await terminal.json<{ items: { phoneNumber: string }[] }>('number', 'list', ...team);
    return items.map(({ phoneNumber }) => phoneNumber);
  };
  expect(await numbersOf(cli, '--team', id)).toEqual(['+14155550177']);
  for (const OUTDIAL_TEAM of [id, 'North & Sons']) {
    expect(await numbersOf(new CliTerminal(database, { OUTDIAL_TEAM }))).toEqual(['+14155550177']);
  }
  const file = join(directory.path, 'team');
  writeFileSync(file, `${id}\n`);
  expect(await numbersOf(new CliTerminal(database, { OUTDIAL_TEAM_FILE: file }))).toEqual(['+14155550177']);
  const elsewhere = new CliTerminal(database, { OUTDIAL_TEAM: team });
  expect(await numbersOf(elsewhere, '--team', id)).toEqual(['+14155550177']);
  expect(await cli.json('team', 'show', 'North & Sons')).toMatchObject({ id });

  expect(await numbersOf(cli, '--team', 'north & sons')).toEqual(['+14155550177']);
  expect(await cli.run('number', 'list', '--team', 'North')).toMatchObject({
    code: 1,
    told: 'Team not found. See `npm run cli -- team list`.',
  });
  const { id: other } = await cli.json<{ id: string }>('team', 'create', '--name', 'North & Sons');
  const ids = [id, other].sort().join(', ');
  const said = await cli.run('number', 'list', '--team', 'North & Sons');
  expect(said).toMatchObject({ code: 2, out: '' });
  expect(said.told).toContain(`Several teams are called "North & Sons": give an id instead: ${ids}\n`);
});

test('the platform is paused and resumed', async () => {
  const paused = async () => (await db.query<object[]>('SELECT paused FROM platform_settings'))[0];
  expect(await cli.json('pause')).toEqual({ paused: true });
  expect(await paused()).toEqual({ paused: true });
  expect((await cli.run('resume')).out).toBe('Resumed.');
  expect(await paused()).toEqual({ paused: false });
});

test('only printable characters of a name reach the terminal', async () => {
  const { id } = await cli.json<{ id: string }>('team', 'create', '--name', 'a\u001b[2J\u0007b\u202ec');
  expect(id).toMatch(UUID);
  const { out } = await cli.run('team', 'show', id);
  expect(out).toContain('a\uFFFD[2J\uFFFDb\uFFFDc');
});
