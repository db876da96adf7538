import { type TeamRole } from '../../src/domain/permissions.js';
import { section } from '../operations/operations-client.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

const calling = Calling.ofFile();
let caller: Caller;
let path: string;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US', timezone: 'UTC' });
  path = `/t/${caller.teamId}/whitelist`;
});

async function person(role: TeamRole | 'operator' = 'operator'): Promise<Person> {
  const who = role === 'operator' ? { operator: true } : { teamId: caller.teamId, role };
  return new Person(calling.api, (await signedIn(calling.db, who)).cookie);
}

async function listed(): Promise<string[]> {
  const rows = await calling.db.query<{ phone_number: string }[]>(
    'SELECT phone_number FROM whitelist WHERE team_id = $1 ORDER BY 1',
    [caller.teamId],
  );
  return rows.map((row) => row.phone_number);
}

test('numbers are added, looked up and removed, and each change is audited as the operator’s', async () => {
  const operator = await person();
  expect(section(await operator.page(path), 'list')).toContain('No number is on the whitelist.');
  const added = await operator.submit(path, path, { phoneNumbers: '(415) 555-0142\r\n\r\n+14155550143' });
  expect([added.status, added.headers.location]).toEqual([303, path]);
  expect(await operator.after(added)).toContain('The numbers are on the whitelist.');
  expect(await listed()).toEqual(['+14155550142', '+14155550143']);
  const found = await operator.page(`${path}?phoneNumber=%28415%29+555-0143`);
  expect(section(found, 'looked-up')).toContain('On the list');
  expect(section(await operator.page(`${path}?phoneNumber=4155550199`), 'looked-up')).toContain(
    'Not on the list',
  );
  const removed = await operator.submit(path, `${path}/remove`, { phoneNumber: '+14155550143' });
  expect(await operator.after(removed)).toContain('The number is no longer on the whitelist.');
  expect(await listed()).toEqual(['+14155550142']);
  const again = await operator.submit(path, `${path}/remove`, { phoneNumber: '+14155550143' });
  expect(again.status).toBe(404);
  const audited = await calling.db.query<object[]>(
    `SELECT action, actor_kind FROM audit_log WHERE team_id = $1 AND action LIKE 'whitelist.%' ORDER BY id`,
    [caller.teamId],
  );
  expect(audited).toEqual([
    { action: 'whitelist.added', actor_kind: 'user' },
    { action: 'whitelist.removed', actor_kind: 'user' },
  ]);
});

test('lines that are no numbers stay in the form with the reason; the others are added', async () => {
  const operator = await person();
  const partly = await operator.submit(path, path, { phoneNumbers: 'nothing\n+14155550144' });
  expect(partly.status).toBe(200);
  expect(section(partly.text, 'add')).toMatch(/Numbers added: 1[^]*nothing must be one phone number/);
  expect(partly.text).toMatch(/<textarea[^>]*>nothing<\/textarea>/);
  expect(await listed()).toEqual(['+14155550144']);
  const none = await operator.submit(path, path, { phoneNumbers: 'nothing' });
  expect([none.status, none.text.includes('nothing</textarea>')]).toEqual([400, true]);
  const empty = await operator.submit(path, path, { phoneNumbers: ' ' });
  expect([empty.status, empty.text.includes('Give at least one phone number.')]).toEqual([400, true]);
});

test('the list has pages by key, and an address that is refused is named', async () => {
  const operator = await person();
  const numbers = Array.from({ length: 60 }, () => nextNumber()).sort();
  await calling.db.query(
    'INSERT INTO whitelist (team_id, phone_number) SELECT $1, number FROM unnest($2::text[]) AS number',
    [caller.teamId, numbers],
  );
  const entriesOf = (page: string) => [...page.matchAll(/data-entry="([^"]+)"/g)].map(([, number]) => number);
  const first = await operator.page(path);
  const [, next = ''] = /href="([^"]*cursor=[^"]*)"/.exec(first) ?? [];
  const second = await operator.page(next.replaceAll('&amp;', '&'));
  expect([...entriesOf(first), ...entriesOf(second)].sort()).toEqual(numbers);
  expect((await operator.get(`${path}?cursor=x`)).status).toBe(400);
});

test('it is the operator’s, as by the API: compliance links it for operators only', async () => {
  const compliance = `/t/${caller.teamId}/settings/compliance`;
  const admin = await person('admin');
  expect(await admin.page(compliance)).not.toContain(`href="${path}"`);
  expect((await admin.get(path)).status).toBe(403);
  expect(await (await person()).page(compliance)).toContain(`href="${path}"`);
});
