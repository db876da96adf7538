import { type Response } from 'supertest';
import { bearer, Calling } from '../support/calling.js';
import { buildApiKey, buildContact, buildTeam, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

const calling = Calling.ofFile({ erasureKey: 'erasure-key-of-the-tests' });
const worker = calling.idleWorkerOfFile();
let caller: Caller;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});

const own = (method: 'get' | 'post' | 'delete', path: string, body?: object, key = caller.apiKey) =>
  calling.http()[method](`/api/do-not-call${path}`).set(bearer(key)).send(body);
const operator = (method: 'get' | 'post' | 'delete', path: string, body?: object) =>
  calling.operator(method, `/teams/${caller.teamId}/do-not-call${path}`, body);

type Entry = Record<string, unknown>;
const entriesOf = (answer: Response) => (answer.body as { items: Entry[] }).items;
const history = async (phoneNumber: string) =>
  entriesOf(await own('get', `/history?phoneNumber=${encodeURIComponent(phoneNumber)}`).expect(200));

test('each addition and each removal is an entry, with its source, actor and reason, in the order of time', async () => {
  const number = nextNumber();
  await own('post', '', { phoneNumbers: [number], reason: 'asked us' }).expect(201);
  await own('delete', `/${number}`).expect(204);
  await operator('post', '', { phoneNumbers: [number] }).expect(201);
  await operator('delete', `/${number}`).expect(204);
  const common = { scope: 'team', campaignId: null, agentId: null, purpose: null, expiresAt: null };
  const instant = expect.stringMatching(/^\d{4}-.*Z$/) as string;
  const times = { effectiveFrom: instant, recordedAt: instant };
  const byKey = { source: 'request', actorKind: 'key', actorName: 'Key', ...times };
  const byOperator = { source: 'operator', actorKind: 'token', actorName: null, ...times };
  expect(await history(number)).toEqual([
    { ...common, ...byOperator, action: 'removed', reason: null },
    { ...common, ...byOperator, action: 'added', reason: null },
    { ...common, ...byKey, action: 'removed', reason: null },
    { ...common, ...byKey, action: 'added', reason: 'asked us' },
  ]);
  expect(entriesOf(await operator('get', `/history?phoneNumber=${encodeURIComponent(number)}`))).toHaveLength(
    4,
  );
});

test('a number that is on the list has no further entry, except for an opt-out in a call', async () => {
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber });
  await worker.fire(id);
  await calling.until(caller, id, 'completed');
  const again = () => own('post', '', { phoneNumbers: [phoneNumber] }).expect(201);
  await again();
  await again();
  expect(await history(phoneNumber)).toMatchObject([{ source: 'request' }]);
  await calling.report(caller, id, { optOut: true }).expect(200);
  expect(await history(phoneNumber)).toMatchObject([
    { source: 'opt_out', action: 'added', reason: `Opted out in call ${id}`, expiresAt: null },
    { source: 'request' },
  ]);
});

test('an opt-out outlives an entry with an expiry', async () => {
  const phoneNumber = nextNumber();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const id = await calling.accepted(caller, { phoneNumber });
  await worker.fire(id);
  await calling.until(caller, id, 'completed');
  await own('post', '', { phoneNumbers: [phoneNumber], expiresAt }).expect(201);
  await calling.report(caller, id, { optOut: true }).expect(200);
  expect(entriesOf(await own('get', ''))).toMatchObject([{ phoneNumber }]);
});

test('the ledger is paged, and found by any notation of the number', async () => {
  const number = '+14155559301';
  for (const reason of ['one', 'two', 'three']) {
    await own('post', '', { phoneNumbers: [number], reason }).expect(201);
    await own('delete', `/${number}`).expect(204);
  }
  const first = await own('get', '/history?phoneNumber=415%20555%209301&limit=4').expect(200);
  const { items, nextCursor } = first.body as { items: Entry[]; nextCursor: string };
  const rest = await own('get', `/history?phoneNumber=${encodeURIComponent(number)}&cursor=${nextCursor}`);
  expect([items.length, entriesOf(rest).length]).toEqual([4, 2]);
  const again = await own('get', `/history?phoneNumber=+14155559301&limit=200`).expect(200);
  expect([...items, ...entriesOf(rest)]).toEqual(entriesOf(again));
});

test('is that of the key’s team alone, and needs a number', async () => {
  const number = nextNumber();
  const { id: other } = await buildTeam(calling.db);
  await calling.operated('post', `/teams/${other}/do-not-call`, { phoneNumbers: [number] });
  expect(await history(number)).toEqual([]);
  for (const query of ['', '?phoneNumber=x', '?phoneNumber=%2B14155550100&cursor=x']) {
    const answer = await own('get', `/history${query}`);
    expect([query, answer.status]).toEqual([query, 400]);
  }
  const { id } = await buildApiKey(calling.db, caller.teamId);
  expect(id).toBeDefined();
  await own('get', '/history?phoneNumber=%2B14155550100', undefined, 'od_unknown').expect(401);
});

test('keeps the entries of an erased number in its erased form, without the reason', async () => {
  const phoneNumber = nextNumber();
  const { id: campaignId } = await calling.db
    .query<{ id: string }[]>(
      `WITH c AS (SELECT gen_random_uuid() AS id, gen_random_uuid() AS version),
         campaign AS (INSERT INTO campaigns (id, team_id, name, status, current_version_id) SELECT id, $1, 'C', 'active', version FROM c)
       INSERT INTO campaign_versions (id, team_id, campaign_id, number, status, published_at)
       SELECT version, $1, id, 1, 'published', now() FROM c RETURNING campaign_id AS id`,
      [caller.teamId],
    )
    .then(([row]) => row as { id: string });
  const { id } = await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber });
  const reason = 'private words';
  await own('post', '', { phoneNumbers: [phoneNumber], reason }).expect(201);
  const limits = { scope: 'agent', agentId: caller.agentId };
  await own('post', '', { phoneNumbers: [phoneNumber], reason, ...limits }).expect(201);
  await own('post', '', { phoneNumbers: [phoneNumber], reason, scope: 'campaign', campaignId }).expect(201);
  const exported = await calling.http().get(`/api/contacts/${id}/export`).set(bearer(caller.apiKey));
  expect(exported.body).toMatchObject({
    doNotCall: [{ phoneNumber }],
    limitedDoNotCall: [{ phoneNumber, reason }, { phoneNumber }],
    doNotCallHistory: [{ phoneNumber, reason, action: 'added' }, { scope: 'agent' }, { scope: 'campaign' }],
  });
  await calling.http().delete(`/api/contacts/${id}`).set(bearer(caller.apiKey)).expect(204);
  for (const table of ['suppression_entries', 'limited_do_not_call', 'do_not_call']) {
    const rows = await calling.db.query<object[]>(
      `SELECT FROM ${table} WHERE team_id = $1 AND (phone_number = $2 OR reason IS NOT NULL)`,
      [caller.teamId, phoneNumber],
    );
    expect([table, rows]).toEqual([table, []]);
  }
  // The number is recognized by its erased form.
  expect(await history(phoneNumber)).toHaveLength(3);
  await own('delete', `/${phoneNumber}`).expect(204);
  expect((await calling.trigger(caller, { phoneNumber })).body).toMatchObject({ reason: 'DO_NOT_CALL' });
  const ofAgent = `/${phoneNumber}?scope=agent&agentId=${caller.agentId}`;
  await own('delete', ofAgent).expect(204);
  await calling.trigger(caller, { phoneNumber }).expect(200);
});
