import { section, textOf } from '../operations/operations-client.js';
import { buildPhoneNumber, buildPool, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

const calling = Calling.ofFile();
let caller: Caller;
let path: string;
let operator: Person;
let manager: Person;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
  path = `/t/${caller.teamId}/numbers`;
  operator = new Person(calling.api, (await signedIn(calling.db, { operator: true })).cookie);
  const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role: 'manager' });
  manager = new Person(calling.api, cookie);
});

const rows = (sql: string) => calling.db.query<Row[]>(sql, [caller.teamId]);
const numbers = () =>
  rows('SELECT * FROM phone_numbers WHERE team_id = $1 ORDER BY created_at, phone_number');
const pools = () => rows('SELECT * FROM number_pools WHERE team_id = $1');
const members = async () =>
  (await rows('SELECT phone_number FROM number_pool_members WHERE team_id = $1 ORDER BY phone_number')).map(
    ({ phone_number: number }) => number,
  );

test('without a number in the address, the page lists the numbers to call from, and looks called ones up', async () => {
  const page = await manager.page(path);
  expect(section(page, 'numbers')).toContain(`${caller.callerNumber} Calls`);
  expect(section(page, 'look-up')).toContain('Why was this person called, or not?');
  const called = nextNumber();
  expect(textOf(await manager.page(`${path}?phoneNumber=${encodeURIComponent(called)}`))).toContain(
    'No call to this number was ever requested.',
  );
});

test('an operator adds a number and turns it off; a manager may not', async () => {
  const added = await operator.submit(path, path, { phoneNumber: '(415) 555-0107' });
  expect([added.status, added.headers.location]).toEqual([303, path]);
  const [, number] = await numbers();
  expect(number).toMatchObject({ phone_number: '+14155550107', active: true, outbound_enabled: true });
  for (const [phoneNumber, text] of [
    ['12', 'The number '],
    ['+14155550107', 'The team already has this'],
  ] as const) {
    const refused = await operator.submit(path, path, { phoneNumber });
    expect(refused.status).toBe(400);
    expect(section(refused.text, 'add-number')).toContain(text);
    expect(refused.text).toContain(`value="${phoneNumber}"`);
  }
  const change = `${path}/${String(number?.id)}`;
  await operator.submit(path, change, { flags: ['active'] });
  expect((await numbers())[1]).toMatchObject({ active: true, outbound_enabled: false });
  await operator.submit(path, change, { flags: [] });
  expect((await numbers())[1]).toMatchObject({ active: false, outbound_enabled: false });
  expect(section(await manager.page(path), 'numbers')).toContain('+14155550107 Not active');
  const token = /name="formToken" value="([^"]*)"/.exec(await manager.page(path))?.[1] ?? '';
  for (const address of [path, change])
    expect((await manager.post(address, { formToken: token })).status).toBe(403);
});

test('a number and a pool of another team do not exist', async () => {
  const other = await buildCaller(calling.db);
  const [number] = await calling.db.query<Row[]>('SELECT id FROM phone_numbers WHERE team_id = $1', [
    other.teamId,
  ]);
  const { id: pool } = await buildPool(calling.db, other.teamId, { name: 'Foreign' });
  const token = /name="formToken" value="([^"]*)"/.exec(await operator.page(path))?.[1] ?? '';
  const changed = await operator.post(`${path}/${String(number?.id)}`, { formToken: token, flags: [] });
  expect(changed.status).toBe(404);
  expect((await operator.get(`${path}/pools/${pool}`)).status).toBe(404);
  const renamed = await operator.post(`${path}/pools/${pool}`, { formToken: token, name: 'Taken' });
  expect(renamed.status).toBe(404);
});

test('a pool is created, renamed and arranged', async () => {
  const second = String((await buildPhoneNumber(calling.db, caller.teamId)).phone_number);
  const made = await manager.submit(`${path}/pools/new`, `${path}/pools`, {
    name: 'California',
    phoneNumbers: [caller.callerNumber, second],
  });
  expect([made.status, made.headers.location]).toEqual([303, path]);
  expect(await members()).toEqual([caller.callerNumber, second].sort());
  const [pool] = await pools();
  const own = `${path}/pools/${String(pool?.id)}`;
  expect(textOf(await manager.page(path))).toContain('California');
  expect((await manager.submit(own, own, { name: 'West', phoneNumbers: [second] })).status).toBe(303);
  expect((await pools())[0]).toMatchObject({ name: 'West' });
  expect(await members()).toEqual([second]);
});

test('what was changed meanwhile stays where the form did not change it', async () => {
  const { teamId, callerNumber } = caller;
  await manager.submit(`${path}/pools/new`, `${path}/pools`, { name: 'One', phoneNumbers: [callerNumber] });
  const [pool] = await pools();
  const own = `${path}/pools/${String(pool?.id)}`;
  const page = await manager.page(own);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  await calling.db.query(`UPDATE number_pools SET name = 'Meanwhile' WHERE team_id = $1`, [teamId]);
  const sent = {
    formToken: field('formToken'),
    back: field('back'),
    'before.name': field('before.name'),
    'before.phoneNumbers': field('before.phoneNumbers'),
  };
  expect((await manager.post(own, { ...sent, name: 'One', phoneNumbers: [] })).status).toBe(303);
  expect((await pools())[0]).toMatchObject({ name: 'Meanwhile' });
  expect(await members()).toEqual([]);
});

test('a refused pool names the field and the number, and keeps what was typed', async () => {
  const form = `${path}/pools/new`;
  const foreign = await manager.submit(form, `${path}/pools`, {
    name: 'Kept name',
    phoneNumbers: ['+14155550199'],
  });
  expect(foreign.status).toBe(400);
  expect(textOf(foreign.text)).toContain('“+14155550199” is not a phone number of the team');
  expect(foreign.text).toContain('value="Kept name"');
  const nameless = await manager.submit(form, `${path}/pools`, { name: ' ', phoneNumbers: [] });
  expect(nameless.text).toContain('href="#field-name"');
  expect(await pools()).toEqual([]);
});

test('a team with many numbers types the members of a pool', async () => {
  await calling.db.query(
    `INSERT INTO phone_numbers (team_id, phone_number) SELECT $1, '+1646' || 2000000 + n FROM generate_series(1, 150) AS n`,
    [caller.teamId],
  );
  const form = await manager.page(`${path}/pools/new`);
  expect(form).toContain('<textarea id="field-phoneNumbers"');
  const typed = '(646) 200-0001\r\n+16462000002, +16462000003\r\n';
  await manager.submit(`${path}/pools/new`, `${path}/pools`, { name: 'Many', phoneNumbers: typed });
  expect(await members()).toEqual(['+16462000001', '+16462000002', '+16462000003']);
  const page = await manager.page(path);
  expect(page).toContain('More numbers');
  const [, next = ''] = /href="([^"]*cursor=[^"]*)"/.exec(page) ?? [];
  expect(textOf(await manager.page(next.replaceAll('&amp;', '&')))).toContain('+16462000040');
});

test('the page is small, however many numbers and pools there are', async () => {
  const { teamId } = caller;
  await calling.db.query(
    `INSERT INTO phone_numbers (team_id, phone_number) SELECT $1, '+1646' || 2000000 + n FROM generate_series(1, 150) AS n`,
    [teamId],
  );
  await calling.db.query(
    `INSERT INTO number_pools (team_id, name) SELECT $1, repeat('Pool ', 20) || n FROM generate_series(1, 50) AS n`,
    [teamId],
  );
  await calling.db.query(
    `INSERT INTO number_pool_members (team_id, number_pool_id, phone_number)
     SELECT p.team_id, p.id, n.phone_number FROM number_pools p JOIN phone_numbers n ON n.team_id = p.team_id WHERE p.team_id = $1`,
    [teamId],
  );
  const page = await operator.page(path);
  expect(page.length).toBeLessThan(60_000);
  expect(textOf(page)).toContain('and 146 more');
  const [, next = ''] = /href="([^"]*pools=[^"]*)"/.exec(page) ?? [];
  expect(await operator.page(next.replaceAll('&amp;', '&'))).toContain('More pools');
  const [pool] = await pools();
  expect((await manager.page(`${path}/pools/${String(pool?.id)}`)).length).toBeLessThan(60_000);
});

test.each(['cursor=x', 'pools=x', 'timezone=Mars&cursor=x'])(
  'an address with %s is refused',
  async (query) => {
    expect((await manager.get(`${path}?${query}`)).status).toBe(400);
    expect((await manager.get(`/t/${caller.teamId}/agents?${query.replace('pools', 'cursor')}`)).status).toBe(
      400,
    );
  },
);
