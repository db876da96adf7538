import { pageBy } from '../lists/list-client.js';
import { buildCampaign, buildContact, nextNumber } from '../support/builders.js';
import { buildDials } from '../support/enrollment-builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { FeedReader } from './feed-client.js';

/* The events of enrollments, campaigns and opt-outs, with the resources as their lists show them. */

let calling: Calling;
let worker: IdleWorker;
let caller: Caller;
let reader: FeedReader;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: 'erasure-key-of-the-tests' });
  worker = await calling.startIdleWorker();
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db);
  reader = new FeedReader(calling, caller);
});

const told = async () => (await reader.news()).map(({ type, data }) => [type, data]);
const post = (path: string, body: object = {}) =>
  calling.http().post(path).set(bearer(caller.apiKey)).send(body);
const firstOf = async (path: string) => (await pageBy(calling, caller, path)).items[0];

/** What the events of an enrollment have of its first item in a list. */
async function identityIn(path: string): Promise<object> {
  const { enrollmentId, status, contactId, externalId, campaignId, versionId, source } =
    (await firstOf(path)) ?? {};
  return { enrollmentId, status, contactId, externalId, campaignId, versionId, source };
}

async function enroll(contactId: string, campaignId: string): Promise<string> {
  const answer = await post('/api/campaigns/enrollments', { contactId, campaignId, source: 'crm' }).expect(
    201,
  );
  return (answer.body as { enrollmentId: string }).enrollmentId;
}

test('an enrollment has an event when it is created and when it ends', async () => {
  const { id: campaignId } = await buildCampaign(calling.db, caller.teamId);
  const { id: contactId } = await buildContact(calling.db, caller.teamId);
  const id = await enroll(contactId, campaignId);
  const list = `/api/campaigns/enrollments?contactId=${contactId}&campaignId=${campaignId}`;
  expect(await firstOf(list)).toMatchObject({ enrollmentId: id, source: 'crm' });
  expect(await told()).toEqual([['enrollment.created', await identityIn(list)]]);
  await post(`/api/campaigns/enrollments/${id}/pause`).expect(200);
  await post(`/api/campaigns/enrollments/${id}/resume`).expect(200);
  expect(await told()).toEqual([]);
  await post(`/api/campaigns/enrollments/${id}/exit`).expect(200);
  expect(await told()).toEqual([['enrollment.ended', await identityIn(list)]]);
  await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).expect(204);
  expect(await told()).toEqual([]);
  expect(JSON.stringify(await new FeedReader(calling, caller).news())).not.toContain('crm');
});

test('the events of a campaign’s call name its campaign and its enrollment', async () => {
  const { id: campaignId } = await buildCampaign(calling.db, caller.teamId);
  const { id: contactId } = await buildContact(calling.db, caller.teamId);
  const id = await enroll(contactId, campaignId);
  const keys = { id, team: caller.teamId, campaignId, contactId };
  const [call] = await buildDials(calling.db, keys, ['in_progress']);
  await reader.news();
  await calling.db.query(
    `UPDATE call_requests SET status = 'completed', phase = 2, ended_at = now() WHERE id = $1`,
    [call],
  );
  const of = { callRequestId: call, campaignId, enrollmentId: id };
  expect(await told()).toEqual([['call.ended', expect.objectContaining(of)]]);
  const result = { disposition: 'interested' };
  await post(`/api/calls/${call}/result`, result).expect(200);
  expect(await told()).toEqual([['call.result', expect.objectContaining(of)]]);
});

test('a pause and a resumption of a campaign are told, and no other change', async () => {
  const { id } = await buildCampaign(calling.db, caller.teamId, { status: 'active' });
  const path = `/teams/${caller.teamId}/campaigns/${id}`;
  const change = (fields: object) => calling.operated('patch', path, fields);
  await change({ name: 'Autumn', pacing: { maxConcurrentCalls: 3 } });
  expect(await told()).toEqual([]);
  await change({ status: 'paused' });
  expect(await told()).toEqual([['campaign.paused', await firstOf('/api/campaigns')]]);
  await change({ status: 'paused' });
  await calling.operated('post', `${path}/versions`, { definition: {} });
  await change({ status: 'active', reentry: { maxEntries: 2 } });
  const listed = await firstOf('/api/campaigns');
  expect(listed).toMatchObject({ name: 'Autumn', pacing: { maxConcurrentCalls: 3 } });
  expect(await told()).toEqual([['campaign.resumed', listed]]);
  await change({ status: 'draft' });
  await change({ status: 'active' });
  expect(await told()).toEqual([]);
});

test('the end of a campaign has the events of its enrollments', async () => {
  const { id: campaignId } = await buildCampaign(calling.db, caller.teamId, { status: 'active' });
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    ids.push(await enroll((await buildContact(calling.db, caller.teamId)).id, campaignId));
  }
  await reader.news();
  await calling.operated('post', `/teams/${caller.teamId}/campaigns/${campaignId}/archive`);
  await calling.db.query('SELECT end_archived_enrollments(500)');
  const ended = await reader.news();
  expect(ended.map(({ type }) => type)).toEqual(Array(3).fill('enrollment.ended'));
  expect(ended.map(({ data }) => data.enrollmentId).sort()).toEqual(ids.sort());
});

test('a number that is new on the Do Not Call list has an event, with its contact', async () => {
  const [known, unknown] = [nextNumber(), nextNumber()];
  const custom = { plan: 'gold', seats: 3 };
  await buildContact(calling.db, caller.teamId, {
    phone_number: known,
    name: 'Ada',
    email: 'ada@example.com',
    custom_properties: custom,
  });
  const add = (phoneNumbers: string[]) =>
    post('/api/do-not-call', { phoneNumbers, reason: 'asked' }).expect(201);
  await add([known]);
  const listed = await firstOf('/api/contacts');
  expect(listed).toMatchObject({ name: 'Ada', customProperties: custom });
  expect(await told()).toEqual([['contact.opted_out', { ...listed, reason: 'asked' }]]);
  await add([known, unknown]);
  const noContact = {
    contactId: null,
    externalId: null,
    name: null,
    email: null,
    companyName: null,
    companyWebsite: null,
    timezone: null,
    customProperties: null,
  };
  expect(await told()).toEqual([
    ['contact.opted_out', { ...noContact, phoneNumber: unknown, reason: 'asked' }],
  ]);
  await calling.http().delete(`/api/do-not-call/${known}`).set(bearer(caller.apiKey)).expect(204);
  expect(await told()).toEqual([]);
  // On the list again, so that the erasure moves an entry.
  await add([known]);
  await reader.news();
  const { contactId } = listed as { contactId: string };
  await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).expect(204);
  expect(await told()).toEqual([]);
  const [row] = await calling.db.query<{ text: string }[]>(
    `SELECT string_agg(e::text, '') AS text FROM events e WHERE team_id = $1`,
    [caller.teamId],
  );
  expect(row?.text).not.toMatch(new RegExp(`Ada|ada@|gold|${known.slice(1)}`));
  expect(row?.text).toContain(unknown);
});

test('an opt-out in a conversation has its event with that of the result', async () => {
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await worker.fire(id);
  await calling.until(caller, id, 'completed');
  await reader.news();
  await calling.report(caller, id, { optOut: true }).expect(200);
  expect((await reader.news()).map(({ type }) => type).sort()).toEqual(['call.result', 'contact.opted_out']);
});
