import { type INestApplicationContext } from '@nestjs/common';
import supertest, { type Response } from 'supertest';
import { type TeamRole } from '../../src/domain/permissions.js';
import { ErasedNumbers } from '../../src/erasure/erased-numbers.service.js';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { ImportClient, numberAt } from '../imports/import-client.js';
import { hiddenFields, section } from '../operations/operations-client.js';
import { buildCampaign } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

let calling: Calling;
let worker: INestApplicationContext;
let imports: ImportClient;
let caller: Caller;
let path: string;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: 'k'.repeat(32) });
  imports = new ImportClient(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
  path = `/t/${caller.teamId}/imports`;
});

const { signal } = new AbortController();
const work = () => worker.get(ImportWorkerService, { strict: false }).run(signal);

async function cookieOf(role: TeamRole = 'manager'): Promise<string> {
  return (await signedIn(calling.db, { teamId: caller.teamId, role })).cookie;
}

const personOf = (cookie: string) => new Person(calling.api, cookie);

/** Sends the form of a new import as a browser does: the token first, the file last. */
async function upload(
  cookie: string,
  file: string | Buffer,
  {
    name = 'contacts.csv',
    fields = {},
    token,
  }: { name?: string; fields?: Record<string, string>; token?: string } = {},
): Promise<Response> {
  const hidden = hiddenFields(await personOf(cookie).page(`${path}/new`), `${path}/new`);
  const request = supertest(calling.api.getHttpServer())
    .post(`${path}/new`)
    .set('Cookie', cookie)
    .field('formToken', token ?? hidden.formToken ?? '')
    .field('back', hidden.back ?? '');
  for (const [field, value] of Object.entries({ type: 'contacts', ...fields }))
    void request.field(field, value);
  return request.attach('file', Buffer.from(file), name);
}

const HUBSPOT =
  'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Time Zone,Plan\n' +
  '101,Ada,Lovelace,ada@example.com,(415) 200-0001,(415) 200-0002,,gold\n' +
  '102,Mavis,Batey,mavis@example.com,(415) 200-0003,,Mars/Base,silver\n' +
  '103,Hugh,Alexander,hugh@example.com,12,,,silver\n';

test('a file with two numbers asks which one is called, then shows the rows, and is imported', async () => {
  const cookie = await cookieOf();
  const person = personOf(cookie);
  const answer = await upload(cookie, HUBSPOT);
  expect([answer.status, answer.headers.location]).toEqual([303, expect.stringMatching(/\/preview$/)]);
  const preview = answer.headers.location ?? '';
  const first = await person.page(preview);
  expect(section(first, 'columns')).toContain(
    '“Phone Number” and “Mobile Phone Number” may both be the number',
  );
  expect(first).not.toContain('value="start"');
  // A form without the choice is refused, and keeps what was chosen.
  const refused = await person.submit(preview, preview, { 'column-0': 'externalId', act: 'start' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Choose the column that is the phone number.');
  expect(refused.text).toMatch(/name="column-0"[^]*?<option value="externalId" selected/);

  const changed = await person.submit(preview, preview, {
    'column-0': 'externalId',
    'column-4': 'phoneNumber',
    'column-5': 'property',
    act: 'start',
  });
  expect(changed.status).toBe(303);
  const second = await person.after(changed);
  expect(second).toContain('nothing is imported yet');
  const rows = section(second, 'rows');
  for (const text of ['Ada Lovelace', 'ada@example.com', 'External id: 101', 'Plan: gold', '+14152000001'])
    expect(rows).toContain(text);
  const bad = section(second, 'refused');
  expect(bad).toContain('Time zone must be an IANA time zone name');
  expect(bad).toContain('Mars/Base');
  expect((await imports.list(caller)).map(({ status }) => status)).toEqual(['held']);

  const started = await person.submit(preview, preview, { act: 'start' });
  const [held] = await imports.list(caller);
  expect([started.status, started.headers.location]).toEqual([303, `${path}/${held?.importId}`]);
  const audited = await calling.db.query<{ action: string; actor_kind: string }[]>(
    'SELECT action, actor_kind FROM audit_log WHERE team_id = $1 ORDER BY id',
    [caller.teamId],
  );
  expect(audited.filter(({ actor_kind: kind }) => kind === 'user').map(({ action }) => action)).toEqual([
    'import.created',
    'import.mapped',
    'import.started',
  ]);
  const running = await person.page(`${path}/${held?.importId}`);
  expect(running).toContain('hx-trigger="every 2s"');
  expect((await person.get(preview)).headers.location).toBe(`${path}/${held?.importId}`);
  await work();
  const ended = await person.page(`${path}/${held?.importId}`);
  expect(ended).not.toContain('hx-trigger');
  expect(section(ended, 'refused')).toContain('Time zone must be an IANA time zone name');
  expect(await imports.get(caller, held?.importId ?? '')).toMatchObject({ created: 1, failed: 2 });
  const part = await person.get(`${path}/${held?.importId}`).set('HX-Request', 'true');
  expect(part.headers['hx-refresh']).toBe('true');

  const file = await person.get(`${path}/${held?.importId}/refused`).buffer(true);
  expect(file.text.split('\n')[0]).toContain('row,error,Record ID,First Name');
  expect(file.text).toContain('Mars/Base');

  const exported = await calling.db.query<unknown[]>(
    `SELECT FROM audit_log WHERE team_id = $1 AND action = 'import.results_exported' AND actor_kind = 'user'`,
    [caller.teamId],
  );
  expect(exported).toHaveLength(1);

  const undone = await person.submit(`${path}/${held?.importId}`, `${path}/${held?.importId}/undo`);
  expect(undone.status).toBe(303);
  expect(await imports.get(caller, held?.importId ?? '')).toMatchObject({ status: 'undoing' });
  expect(await person.page(path)).toContain('Being undone');
});

test('the erasure of a contact finds its row by the column that was chosen', async () => {
  const cookie = await cookieOf();
  const { headers } = await upload(cookie, 'Phone,Mobile\n+14152000301,+14152000302\n');
  const preview = headers.location ?? '';
  await personOf(cookie).submit(preview, preview, {
    'column-0': 'property',
    'column-1': 'phoneNumber',
    act: 'look',
  });
  const [chunk] = await calling.db.query<{ endings: number[] }[]>(
    'SELECT endings FROM import_chunks WHERE team_id = $1',
    [caller.teamId],
  );
  expect(chunk?.endings).toEqual([152_000_302]);
});

test('two columns for one field are refused where they are', async () => {
  const cookie = await cookieOf();
  const { headers } = await upload(
    cookie,
    `Phone,Work mail,E-mail\n${numberAt(1)},a@example.com,b@example.com\n`,
  );
  const preview = headers.location ?? '';
  const answer = await personOf(cookie).submit(preview, preview, { 'column-1': 'email', act: 'start' });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('“Work mail” is this already: choose one of the two.');
  expect((await imports.list(caller)).map(({ status }) => status)).toEqual(['held']);
});

test('contacts are enrolled in the campaign that the address names', async () => {
  const cookie = await cookieOf();
  const { id: campaignId } = await buildCampaign(calling.db, caller.teamId, { name: 'Spring' });
  const form = await personOf(cookie).page(`${path}/new?campaignId=${campaignId}`);
  expect(form).toMatch(new RegExp(`<option value="${campaignId}" selected[^>]*>Spring`));
  const { headers } = await upload(cookie, `Phone,Name\n${numberAt(7)},Ada\n`, {
    fields: { campaignId: String(campaignId) },
  });
  const preview = headers.location ?? '';
  expect((await personOf(cookie).submit(preview, preview, { act: 'start' })).status).toBe(303);
  await work();
  const [done] = await imports.list(caller);
  expect(done).toMatchObject({ enrolled: 1, campaignId });
  expect(await personOf(cookie).page(`${path}/${done?.importId}`)).toContain('Spring');
});

test('a file of consents is previewed', async () => {
  const cookie = await cookieOf();
  const file = 'Phone,Consent,Source,Date\n+14152000401,express,Letter,2026-03-02T09:00:00Z\n';
  const { headers } = await upload(cookie, file, { fields: { type: 'consents' } });
  const preview = headers.location ?? '';
  const first = await personOf(cookie).page(preview);
  expect(section(first, 'columns')).toContain('Choose the column that is the given at.');
  const chosen = await personOf(cookie).submit(preview, preview, { 'column-3': 'grantedAt', act: 'look' });
  expect(section(await personOf(cookie).after(chosen), 'outcome')).toContain('Recorded');
});

test('a file of Do Not Call numbers is previewed by the rules of its list, and imported', async () => {
  const cookie = await cookieOf();
  const person = personOf(cookie);
  await calling.db.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [
    caller.teamId,
    '+14152000502',
  ]);
  // A number of an unknown range is listed, too.
  const file =
    'Phone,Mobile,Note\n(415) 200-0501,,a\n415-200-0502,,b\n+14152000501,,c\nnone,,d\n+12002000503,,e\n';
  const { headers } = await upload(cookie, file, { fields: { type: 'suppressions' }, name: 'numbers.csv' });
  const preview = headers.location ?? '';
  const first = await person.page(preview);
  expect(section(first, 'columns')).toContain('“Phone” and “Mobile” may both be the number to call');
  expect(first).not.toContain('value="start"');
  const chosen = await person.submit(preview, preview, { 'column-0': 'phoneNumber', act: 'look' });
  const second = await person.after(chosen);
  const counts = section(second, 'outcome')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(counts).toContain('Added to the list 2 On the list already 1 Of an earlier row 1 Refused 1');
  const started = await person.submit(preview, preview, { act: 'start' });
  await work();
  const done = started.headers.location ?? '';
  expect(await imports.get(caller, done.split('/').at(-1) ?? '')).toMatchObject({
    type: 'suppressions',
    status: 'finished',
    created: 2,
    updated: 2,
    failed: 1,
  });
  expect(await person.page(done)).toContain('Do Not Call from a file');
  // A campaign is of contacts only, and the form says what type of file it was.
  const refused = await upload(cookie, '', { fields: { type: 'suppressions' }, name: 'numbers.csv' });
  expect(refused.status).toBe(400);
  expect(refused.text).toMatch(/value="suppressions" checked/);
});

test('a number of which only the erased form is left counts as listed', async () => {
  const erased = calling.api.get(ErasedNumbers, { strict: false }).formOf(caller.teamId, '+14152000521');
  await calling.db.query('UPDATE teams SET has_erased_numbers = true WHERE id = $1', [caller.teamId]);
  await calling.db.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [
    caller.teamId,
    erased,
  ]);
  const cookie = await cookieOf();
  const file = 'phoneNumber\n+14152000521\n+14152000522\n';
  const { headers } = await upload(cookie, file, { fields: { type: 'suppressions' } });
  const page = await personOf(cookie).page(headers.location ?? '');
  expect(section(page, 'outcome')).toContain('Added to the list 1 On the list already 1');
});

test('a file of one column needs no header to be a file of Do Not Call numbers', async () => {
  const cookie = await cookieOf();
  const file = '+14152000511\n+14152000512\n';
  const { headers } = await upload(cookie, file, { fields: { type: 'suppressions' } });
  const page = await personOf(cookie).page(headers.location ?? '');
  expect(section(page, 'outcome')).toContain('Import 2 rows');
});

test('a file that cannot be read, another type of file and no file are refused in the form', async () => {
  const cookie = await cookieOf();
  for (const [file, name, fault] of [
    ['', 'contacts.csv', 'The body has no rows.'],
    ['PK', 'contacts.xlsx', 'Save a spreadsheet as CSV'],
    ['a,a\n1,2\n', 'contacts.csv', 'has the name of another one.'],
  ] as const) {
    const answer = await upload(cookie, file, { name, fields: { mode: 'create' } });
    expect([name, answer.status]).toEqual([name, 400]);
    expect(answer.text).toContain(fault);
    expect(answer.text).toMatch(/<option value="create" selected/);
  }
  const none = await personOf(cookie).submit(`${path}/new`, `${path}/new`);
  expect([none.status, none.text.includes('Choose a file.')]).toEqual([400, true]);
});

test('a file whose form has no token, or that comes from another site, is not stored', async () => {
  const cookie = await cookieOf();
  expect((await upload(cookie, HUBSPOT, { token: 'x'.repeat(43) })).status).toBe(403);
  // The token after the file is too late.
  const { formToken = '' } = hiddenFields(await personOf(cookie).page(`${path}/new`), `${path}/new`);
  const post = () => supertest(calling.api.getHttpServer()).post(`${path}/new`).set('Cookie', cookie);
  const late = await post().attach('file', Buffer.from(HUBSPOT), 'a.csv').field('formToken', formToken);
  expect(late.status).toBe(403);
  const foreign = await post()
    .set('Origin', 'https://evil.example')
    .field('formToken', formToken)
    .attach('file', Buffer.from(HUBSPOT), 'a.csv');
  expect(foreign.status).toBe(403);
  expect(await imports.list(caller)).toEqual([]);
});

test('a viewer reads imports, and neither uploads nor ends one', async () => {
  const cookie = await cookieOf('viewer');
  const importId = await imports.started(caller, `phoneNumber\n${numberAt(3)}\n`);
  const page = await personOf(cookie).page(`${path}/${importId}`);
  expect(page).not.toContain('/cancel');
  expect(await personOf(cookie).page(path)).not.toContain(`${path}/new`);
  expect((await personOf(cookie).get(`${path}/new`)).status).toBe(403);
  expect((await personOf(cookie).get(`${path}?status=nothing`)).status).toBe(400);
});

test('an import is canceled on its page, and the list is filtered', async () => {
  const cookie = await cookieOf();
  const person = personOf(cookie);
  const importId = await imports.started(caller, `phoneNumber\n${numberAt(4)}\n`);
  const answer = await person.submit(`${path}/${importId}`, `${path}/${importId}/cancel`);
  expect(answer.status).toBe(303);
  expect(await imports.get(caller, importId)).toMatchObject({ status: 'canceled' });
  expect(await person.page(`${path}?status=canceled`)).toContain(importId);
  expect(await person.page(`${path}?status=finished`)).not.toContain(importId);
});
