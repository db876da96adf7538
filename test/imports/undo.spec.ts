import { type INestApplicationContext } from '@nestjs/common';
import { type ImportWithColumns } from '../../src/imports/import-view.js';
import { ImportBatches } from '../../src/imports/work/import-batches.service.js';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { UndoWorkerService } from '../../src/imports/work/undo-worker.service.js';
import { type UndoCounts } from '../../src/imports/undo-counts.js';
import { buildCampaign, buildContact, insertRow } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { csvOf, ImportClient, numberAt } from './import-client.js';

let calling: Calling;
let imports: ImportClient;
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: 'erasure-key-of-the-tests' });
  imports = new ImportClient(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  await calling.queue.pause();
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db);
});

const { signal } = new AbortController();
const work = () => worker.get(ImportWorkerService, { strict: false }).run(signal);
const clean = () => worker.get(ImportWorkerService, { strict: false }).clean(signal);
const undoAll = () => worker.get(UndoWorkerService, { strict: false }).run(signal);

async function imported(file: string, query = ''): Promise<string> {
  const importId = await imports.started(caller, file, { query });
  await work();
  return importId;
}

async function undone(importId: string): Promise<ImportWithColumns> {
  const begun = await imports.undo(caller, importId);
  expect([begun.status, begun.body]).toMatchObject([202, { importId, status: 'undoing' }]);
  await undoAll();
  return imports.get(caller, importId);
}

const post = (path: string, body: object) => calling.http().post(path).set(bearer(caller.apiKey)).send(body);

/** The numbers of the team's contacts, from the API. */
async function numbers(): Promise<string[]> {
  const answer = await calling.http().get('/api/contacts?limit=100').set(bearer(caller.apiKey)).expect(200);
  return (answer.body as { items: { phoneNumber: string }[] }).items
    .map(({ phoneNumber }) => phoneNumber)
    .sort();
}

const contactAt = async (n: number) => {
  const [row] = await calling.db.query<{ id: string }[]>(
    'SELECT id FROM contacts WHERE team_id = $1 AND phone_number = $2',
    [caller.teamId, numberAt(n)],
  );
  return String(row?.id);
};

const enrollmentsOf = (campaignId: string) =>
  calling.db.query<{ id: string; status: string; end_reason: string | null; timeline: object[] }[]>(
    'SELECT id, status, end_reason, timeline FROM enrollments WHERE campaign_id = $1 ORDER BY id',
    [campaignId],
  );

const undoOf = ({ undo }: ImportWithColumns) => undo as UndoCounts;

test('the contacts that an import created are removed, and its enrollments end', async () => {
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const importId = await imported(csvOf(400), `campaignId=${campaign.id}`);
  const view = await undone(importId);
  expect(view).toMatchObject({ status: 'undone', created: 400, enrolled: 400 });
  expect(view.undo).toMatchObject({
    contactsRemoved: 400,
    enrollmentsEnded: 400,
    contactsKept: { called: 0, opted_out: 0, enrolled: 0, changed: 0, imported: 0 },
    enrollmentsKept: { called: 0, ended: 0 },
  });
  expect(view.undo?.finishedAt).not.toBeNull();
  expect(await numbers()).toEqual([]);
  const ended = await enrollmentsOf(campaign.id);
  expect(new Set(ended.map((one) => `${one.status} ${one.end_reason}`))).toEqual(new Set(['exited undone']));
  expect(ended[0]?.timeline.at(-1)).toMatchObject({ kind: 'ended', status: 'exited', endReason: 'undone' });
  const shown = await calling
    .http()
    .get(`/api/campaigns/enrollments/${ended[0]?.id}`)
    .set(bearer(caller.apiKey))
    .expect(200);
  expect(shown.body).toMatchObject({ status: 'exited', endReason: 'undone' });
  const [event] = await calling.db.query<{ n: number }[]>(
    `SELECT count(*)::integer AS n FROM events WHERE team_id = $1 AND type = 'enrollment.ended'`,
    [caller.teamId],
  );
  expect(event?.n).toBe(400);
  const [told] = await calling.db.query<{ n: number }[]>(
    `SELECT count(*)::integer AS n FROM events WHERE team_id = $1 AND type = 'import.finished'`,
    [caller.teamId],
  );
  expect(told?.n).toBe(1);
  const results = await imports.results(caller, importId);
  expect(results[0]).not.toHaveProperty('phoneNumber');
  expect(results.filter((row) => 'notUndone' in row)).toEqual([]);
  // The numbers are free for another import.
  const again = await imports.get(caller, await imported(csvOf(400), `campaignId=${campaign.id}`));
  expect(again).toMatchObject({ created: 400, enrolled: 400 });
});

test('an undo keeps contacts that were called, opted out, changed, or enrolled or imported elsewhere', async () => {
  const [campaign, other] = [
    await buildCampaign(calling.db, caller.teamId),
    await buildCampaign(calling.db, caller.teamId),
  ];
  await buildContact(calling.db, caller.teamId, { phone_number: numberAt(10) });
  const importId = await imported(csvOf(12), `campaignId=${campaign.id}`);
  const made = (await imports.results(caller, importId)).map(({ enrollmentId }) => String(enrollmentId));
  await calling.accepted(caller, { phoneNumber: numberAt(0) });
  await insertRow(calling.db, 'enrollment_dials', {
    enrollment_id: made[1],
    seq: 1,
    team_id: caller.teamId,
    campaign_id: campaign.id,
    call_request_id: '00000000-0000-4000-8000-000000000001',
    step: 'first',
    claimed_at: new Date(),
  });
  await post('/api/do-not-call', { phoneNumbers: [numberAt(2)] }).expect(201);
  await calling
    .http()
    .patch(`/api/contacts/${await contactAt(3)}`)
    .set(bearer(caller.apiKey))
    .send({ name: 'Changed' })
    .expect(200);
  await post('/api/campaigns/contact-enrollments', { phoneNumber: numberAt(4), plan: 'gold' }).expect(200);
  await post('/api/campaigns/enrollments', { contactId: await contactAt(5), campaignId: other.id }).expect(
    201,
  );
  await imported(csvOf(1, 6));
  await post(`/api/campaigns/enrollments/${made[7]}/exit`, {}).expect(200);
  await calling
    .http()
    .delete(`/api/contacts/${await contactAt(8)}`)
    .set(bearer(caller.apiKey))
    .expect(204);
  await post(`/api/campaigns/enrollments/${made[9]}/pause`, {}).expect(200);
  const view = await undone(importId);
  expect(undoOf(view)).toMatchObject({
    contactsRemoved: 2,
    contactsKept: { called: 2, opted_out: 1, enrolled: 2, changed: 2, imported: 1 },
    // The call of 0 is not one of its enrollment, which has not dialed.
    enrollmentsEnded: 8,
    enrollmentsKept: { called: 1, ended: 3 },
  });
  expect(await numbers()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10].map(numberAt).sort());
  const results = await imports.results(caller, importId);
  expect(results.map(({ notUndone }) => notUndone)).toEqual([
    'called',
    'called',
    'opted_out',
    'changed',
    'changed',
    'enrolled',
    'imported',
    'enrolled',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const states = new Map((await enrollmentsOf(campaign.id)).map((one) => [one.id, one.end_reason]));
  expect(made.map((id) => states.get(id))).toEqual([
    'undone',
    null,
    'suppressed',
    'undone',
    'undone',
    'undone',
    'undone',
    'manual',
    'contact_deleted',
    'undone',
    'undone',
    'undone',
  ]);
  const [elsewhere] = await enrollmentsOf(other.id);
  expect(elsewhere?.status).toBe('active');
});

test('contacts that the import only updated stay as they are', async () => {
  const known = await buildContact(calling.db, caller.teamId, { phone_number: numberAt(1), name: 'Old' });
  const importId = await imported(csvOf(3));
  expect(undoOf(await undone(importId))).toMatchObject({ contactsRemoved: 2 });
  const answer = await calling.http().get(`/api/contacts/${known.id}`).set(bearer(caller.apiKey)).expect(200);
  expect(answer.body).toMatchObject({ name: 'Name 1' });
});

test('rows that repeat a number are no changes by others, wherever they are in the file', async () => {
  const rows = csvOf(320).trimEnd().split('\n');
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const own = await buildCampaign(calling.db, caller.teamId);
  // The same batch, a later one, and a later one that also enrolls elsewhere.
  const file = rows.map((row, n) => `${row},${n === 0 ? 'campaignId' : ''}`);
  file.splice(3, 0, `${numberAt(0)},Again,`);
  file.push(`${numberAt(1)},Later,`, `${numberAt(2)},Elsewhere,${own.id}`, `${numberAt(2)},Once more,`);
  const importId = await imported([...file, ''].join('\n'), `campaignId=${campaign.id}`);
  expect(await imports.get(caller, importId)).toMatchObject({ rows: 324, created: 320, repeatedNumbers: 4 });
  const view = await undone(importId);
  expect(undoOf(view)).toMatchObject({ contactsRemoved: 320, enrollmentsEnded: 321 });
  expect(await numbers()).toEqual([]);
});

test('a change between two rows of the import is a change by another', async () => {
  const rows = csvOf(160).trimEnd().split('\n');
  const later = [numberAt(0), numberAt(1)].map((number) => `${number},Later`);
  const importId = await imports.started(caller, [...rows, ...later, ''].join('\n'));
  const taken = {
    id: importId,
    team_id: caller.teamId,
    mode: 'upsert',
    campaign_id: null,
    version_id: null,
    next_row: 1,
    default_country: null,
    accept_unknown_ranges: false,
  } as const;
  const batches = worker.get(ImportBatches, { strict: false });
  const first = await batches.prepare(taken, 1);
  expect(first !== null && (await batches.store(taken, first))).toBe(true);
  await calling
    .http()
    .patch(`/api/contacts/${await contactAt(0)}`)
    .set(bearer(caller.apiKey))
    .send({ companyName: 'Acme' })
    .expect(200);
  await calling.db.query('UPDATE imports SET leased_until = NULL WHERE id = $1', [importId]);
  await work();
  expect(await imports.get(caller, importId)).toMatchObject({ created: 160, updated: 2 });
  const view = await undone(importId);
  expect(undoOf(view)).toMatchObject({ contactsRemoved: 159, contactsKept: { changed: 1 } });
  expect(await numbers()).toEqual([numberAt(0)]);
});

test('an import that created nothing is undone at once; a canceled one as far as it went', async () => {
  await imported(csvOf(2));
  const importId = await imported(csvOf(2), 'mode=create');
  expect(undoOf(await undone(importId))).toMatchObject({ contactsRemoved: 0 });
  expect(await numbers()).toHaveLength(2);
  const canceled = await imports.started(caller, csvOf(5, 100));
  await imports.cancel(caller, canceled);
  expect(await undone(canceled)).toMatchObject({ status: 'undone', undo: { contactsRemoved: 0 } });
});

test('an import is undone once, after its end, and by its team alone', async () => {
  const importId = await imports.started(caller, csvOf(1));
  const refused = async (message: string) => {
    const answer = await imports.undo(caller, importId);
    expect([answer.status, answer.body]).toMatchObject([409, { error: message }]);
  };
  await refused('The import is running; cancel it first');
  await work();
  const stranger = await buildCaller(calling.db);
  for (const id of [importId, 'x', '00000000-0000-4000-8000-000000000000'])
    expect((await imports.undo(stranger, id)).status).toBe(404);
  expect((await imports.undo(caller, importId)).status).toBe(202);
  await refused('The import is already being undone');
  expect((await imports.cancel(caller, importId)).status).toBe(409);
  await undoAll();
  await refused('The import is already undone');
  const earlier = await imported(csvOf(1));
  await calling.db.query('UPDATE imports SET tracked = false WHERE id = $1', [earlier]);
  expect((await imports.undo(caller, earlier)).body).toMatchObject({
    error: 'The import was made by an earlier version, which did not note what an undo needs',
  });
});

test('calls that are triggered meanwhile are of contacts that stay, or of new ones', async () => {
  const importId = await imported(csvOf(300));
  expect((await imports.undo(caller, importId)).status).toBe(202);
  const triggers = Array.from({ length: 40 }, (_, n) =>
    calling.trigger(caller, { phoneNumber: numberAt(n * 7), name: `Name ${n * 7}` }),
  );
  const [answers] = await Promise.all([
    Promise.all(triggers.map(async (one) => (await one).status)),
    undoAll(),
  ]);
  expect(new Set(answers)).toEqual(new Set([200]));
  const calls = await calling.db.query<{ phone_number: string; erased: boolean }[]>(
    `SELECT r.phone_number, c.erased_at IS NOT NULL AS erased FROM call_requests r JOIN contacts c ON c.id = r.contact_id
     WHERE r.team_id = $1`,
    [caller.teamId],
  );
  expect(calls.filter(({ erased }) => erased)).toEqual([]);
  expect(calls).toHaveLength(40);
  expect(await numbers()).toEqual(calls.map(({ phone_number: number }) => number).sort());
});

test('an import that is being undone is not deleted, and is kept for a week afterwards', async () => {
  const importId = await imported(csvOf(1));
  const other = await imported(csvOf(1, 50));
  expect((await imports.undo(caller, importId)).status).toBe(202);
  await moveClock(calling.db, '8 days');
  await clean();
  expect((await imports.list(caller)).map((one) => one.importId)).toEqual([importId]);
  expect((await imports.undo(caller, other)).status).toBe(404);
  await undoAll();
  expect(undoOf(await imports.get(caller, importId))).toMatchObject({ contactsRemoved: 1 });
  await clean();
  expect(await imports.list(caller)).toHaveLength(1);
  await moveClock(calling.db, '16 days');
  await clean();
  expect(await imports.list(caller)).toEqual([]);
  const [left] = await calling.db.query<{ n: number }[]>(
    'SELECT count(*)::integer AS n FROM import_contacts WHERE team_id = $1',
    [caller.teamId],
  );
  expect(left?.n).toBe(0);
  await moveClock(calling.db, '0 seconds');
});

test('two workers that undo the same import do each contact once', async () => {
  const importId = await imported(csvOf(400));
  expect((await imports.undo(caller, importId)).status).toBe(202);
  const undos = worker.get(UndoWorkerService, { strict: false });
  const free = () => calling.db.query('UPDATE imports SET leased_until = NULL WHERE id = $1', [importId]);
  await Promise.all([undos.run(signal), free().then(() => undos.run(signal)), undos.run(signal)]);
  await undoAll();
  expect(await imports.get(caller, importId)).toMatchObject({
    status: 'undone',
    undo: { contactsRemoved: 400 },
  });
});
