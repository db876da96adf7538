import { section, textOf } from '../operations/operations-client.js';
import { insertRow } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { PagesClient } from './pages-client.js';

const calling = Calling.ofFile({ secretsKey: 'secrets-key-of-the-tests' });
const KEY = 'key_hush_of_the_account';
const MOST = 50;
let caller: Caller;
let path: string;
let admin: PagesClient;

beforeEach(async () => {
  caller = await buildCaller(calling.db);
  path = `/t/${caller.teamId}/settings/carriers`;
  const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role: 'admin' });
  admin = new PagesClient(calling.api, cookie);
});

const credentials = async (id: string) =>
  (
    await calling.db.query<{ credentials: string }[]>(
      'SELECT credentials FROM carrier_accounts WHERE id = $1',
      [id],
    )
  )[0]?.credentials;
const add = (fields: Record<string, string>) => admin.submit(path, `${path}/accounts`, fields);
const idsOf = (page: string) => [...page.matchAll(/data-account="([^"]*)"/g)].map(([, id = '']) => id);

test('an account that is one too many is refused above its form, which keeps its name', async () => {
  for (let number = 1; number <= MOST; number += 1)
    await insertRow(calling.db, 'carrier_accounts', {
      team_id: caller.teamId,
      carrier: 'retell',
      name: `Account ${number}`,
      credentials: 'sealed',
    });
  const refused = await add({ name: 'One more', 'credentials.apiKey': KEY });
  expect(refused.status).toBe(400);
  expect(section(refused.text, 'new-retell')).toContain('The team has 50 carrier accounts already.');
  expect(refused.text).toMatch(/<p class="notice bad" role="alert">The team has 50/);
  expect(refused.text).toContain('value="One more"');
  expect(refused.text).not.toContain(KEY);
  expect(idsOf(await admin.page(path))).toHaveLength(MOST);
});

test('limits are set, refused by name, and removed', async () => {
  expect((await add({ name: 'Limited', 'credentials.apiKey': KEY })).status).toBe(303);
  const [id = ''] = idsOf(await admin.page(path));
  const limits = async (fields: Record<string, string>) => {
    const answer = await admin.submit(path, `${path}/accounts/${id}/limits`, fields);
    const [row] = await calling.db.query<object[]>(
      'SELECT max_concurrent, calls_per_second FROM carrier_accounts WHERE id = $1',
      [id],
    );
    return { status: answer.status, text: answer.text, row };
  };
  const set = await limits({ maxConcurrent: '5', callsPerSecond: '0.5' });
  expect(set).toMatchObject({ status: 303, row: { max_concurrent: 5, calls_per_second: 0.5 } });
  expect(textOf(await admin.page(path))).toContain('5 at a time, 0.5 a second');
  const refused = await limits({ maxConcurrent: '2.5', callsPerSecond: 'many' });
  expect(refused).toMatchObject({ status: 400, row: { max_concurrent: 5, calls_per_second: 0.5 } });
  const text = textOf(refused.text);
  expect(text).toContain('Active calls at a time, at most must be a whole number from 1');
  expect(text).toContain('Calls a second, at most must be a number from 0.1 to 1000');
  expect(refused.text).toContain('value="many"');
  const removed = await limits({ maxConcurrent: '', callsPerSecond: '' });
  expect(removed).toMatchObject({ status: 303, row: { max_concurrent: null, calls_per_second: null } });
});

test('new credentials that are refused are named at their field, in the open form of their account', async () => {
  for (const name of ['First', 'Second'])
    expect((await add({ name, 'credentials.apiKey': KEY })).status).toBe(303);
  const [first = ''] = idsOf(await admin.page(path));
  const before = await credentials(first);
  const rotate = `${path}/accounts/${first}/credentials`;
  const refused = await admin.submit(path, rotate, { 'credentials.apiKey': 'short' });
  expect(refused.status).toBe(400);
  expect(refused.text.match(/<details open/g)).toHaveLength(1);
  const [, row = ''] = refused.text.split(`data-account="${first}"`);
  const [own = ''] = row.split('</tr>');
  expect(textOf(own)).toContain('API key must be 8 to 500 printable ASCII characters without spaces');
  expect(own).toContain(`id="field-rotate-${first}-apiKey-error"`);
  expect(await credentials(first)).toBe(before);
  // The form of the refused page works as that of the first.
  const [, formToken = ''] = /name="formToken" value="([^"]*)"/.exec(own) ?? [];
  const [, back = ''] = /name="back" value="([^"]*)"/.exec(own) ?? [];
  expect(back).toBe(path);
  const done = await admin.post(rotate, { formToken, back, 'credentials.apiKey': `${KEY}_2` });
  expect([done.status, done.headers.location]).toEqual([303, path]);
  expect(await credentials(first)).not.toBe(before);
});
