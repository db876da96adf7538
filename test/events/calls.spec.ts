import { OutcomeService } from '../../src/dialing/outcome/outcome.service.js';
import { ReconciliationService } from '../../src/calls/recovery/reconciliation.service.js';
import { RetentionService } from '../../src/calls/recovery/retention.service.js';
import { pageBy } from '../lists/list-client.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { moveClock } from '../support/clock.js';
import { FeedReader } from './feed-client.js';

/* The events of calls: each is written once, with the call as the list shows it then. */

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
  await moveClock(calling.db, '0');
  calling.setRules({ match: '*', outcome: 'silent' });
  use(await buildCaller(calling.db));
});

function use(next: Caller): void {
  caller = next;
  reader = new FeedReader(calling, caller);
}

async function listed(id: string): Promise<Record<string, unknown> | undefined> {
  const { items } = await pageBy(calling, caller, '/api/calls?limit=200');
  return items.find(({ callRequestId }) => callRequestId === id);
}

/** The next event, which must be the only one, with the call as the list shows it now. */
async function expectTold(id: string, ...types: string[]): Promise<void> {
  const news = await reader.news();
  const data = await listed(id);
  expect(news.map((event) => [event.type, event.data])).toEqual(types.map((type) => [type, data]));
  for (const event of news)
    expect(event).toMatchObject({ teamId: caller.teamId, data: { callRequestId: id } });
}

/** A call that its carrier has accepted. */
async function started(phoneNumber = nextNumber()): Promise<string> {
  const id = await calling.accepted(caller, { phoneNumber, first: 'Ada' });
  await worker.fire(id);
  await calling.until(caller, id, 'in_progress');
  return id;
}

const end = (id: string, to: 'completed' | 'dial_unknown' = 'completed') =>
  worker.app.get(OutcomeService).apply(id, { to, cause: 'carrier_report', answeredAt: new Date() });

test('a call to its end: nothing at the trigger, then its start, its result and its end', async () => {
  use(await buildCaller(calling.db, {}, { first_message_template: 'Hello {{first}} {{gone}}' }));
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber, first: 'Ada' });
  expect(await reader.types()).toEqual([]);
  await worker.fire(id);
  await calling.until(caller, id, 'in_progress');
  await expectTold(id, 'call.started');
  await calling.report(caller, id, { disposition: 'interested', data: { a: 1 } }).expect(200);
  await expectTold(id, 'call.result');
  await end(id);
  await expectTold(id, 'call.answered', 'call.ended');
  // An event does not change: the first one is still without the later result and end.
  const all = await new FeedReader(calling, caller).news();
  expect(
    all.map(({ data }) => [data.status, data.firstMessage, data.result !== null, data.endedAt === null]),
  ).toEqual([
    ['in_progress', 'Hello Ada ', false, true],
    ['in_progress', 'Hello Ada ', true, true],
    ['completed', 'Hello Ada ', true, false],
    ['completed', 'Hello Ada ', true, false],
  ]);
  expect(all[3]?.data).toMatchObject({ phoneNumber, unknownPlaceholders: ['gone'] });
  expect(new Set(all.map(({ id: eventId }) => eventId)).size).toBe(4);
});

test('requests that are refused tell nothing', async () => {
  const phoneNumber = nextNumber();
  await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [phoneNumber] });
  expect(await reader.types()).toEqual(['contact.opted_out']);
  await calling.trigger(caller, { phoneNumber }).expect(500);
  expect((await calling.rows(caller.teamId)).map(({ status }) => status)).toEqual(['blocked']);
  expect(await reader.types()).toEqual([]);
});

test('a scheduled call has an event, and so has each of its new openings', async () => {
  use(await buildCaller(calling.db, {}, hoursOpeningIn(3)));
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await expectTold(id, 'call.scheduled');
  const { calling_hours } = hoursOpeningIn(6);
  await calling.db.query('UPDATE voice_agents SET calling_hours = $2 WHERE id = $1', [
    caller.agentId,
    calling_hours,
  ]);
  await moveClock(calling.db, '3 hours 10 minutes');
  await worker.fire(id);
  await expectTold(id, 'call.scheduled');
  await calling.cancel(caller, id).expect(200);
  await expectTold(id, 'call.ended');
});

test('a pending call that ends has an event, however it ends', async () => {
  const canceled = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.cancel(caller, canceled).expect(200);
  await expectTold(canceled, 'call.ended');
  const expired = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await moveClock(calling.db, '25 hours');
  await worker.sweep();
  await expectTold(expired, 'call.ended');
  await moveClock(calling.db, '0');
  const phoneNumber = nextNumber();
  await calling.accepted(caller, { phoneNumber });
  await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [phoneNumber] });
  expect((await reader.news()).map(({ type, data }) => [type, data.status]).sort()).toEqual([
    ['call.ended', 'blocked'],
    ['contact.opted_out', undefined],
  ]);
});

test('a call that its carrier throttled has its event when it is really dialed', async () => {
  const phoneNumber = nextNumber();
  calling.setRules({ match: phoneNumber, outcomes: ['throttled', 'refuse'] });
  const id = await calling.accepted(caller, { phoneNumber });
  await worker.fire(id);
  const { generation } = await calling.row(id);
  expect([generation, await reader.types()]).toEqual([1, []]);
  await worker.fire(id, generation);
  await calling.until(caller, id, 'failed');
  await expectTold(id, 'call.ended');
});

test('a call with an unknown end has an event for that, and another one when it is resolved', async () => {
  const id = await started();
  await expectTold(id, 'call.started');
  await moveClock(calling.db, '1 day');
  await worker.app.get(ReconciliationService).markSilent();
  await expectTold(id, 'call.unknown');
  await calling.operated('post', `/teams/${caller.teamId}/calls/${id}/resolve`, { outcome: 'busy' });
  await expectTold(id, 'call.ended');
});

test('an answer has one event, with the first report that says so', async () => {
  const id = await started();
  await expectTold(id, 'call.started');
  const outcomes = worker.app.get(OutcomeService);
  const { carrier_call_id: carrierCallId } = await calling.row(id);
  const report = { callRequestId: id, carrierCallId: carrierCallId as string, at: new Date() };
  await outcomes.recordEvent('simulator', { ...report, status: 'in_progress' });
  expect(await reader.types()).toEqual([]);
  const answered = { ...report, answeredAt: new Date() };
  await outcomes.recordEvent('simulator', { ...answered, status: 'in_progress' });
  await expectTold(id, 'call.answered');
  await outcomes.recordEvent('simulator', { ...answered, status: 'in_progress' });
  await outcomes.recordEvent('simulator', { ...answered, status: 'completed' });
  await expectTold(id, 'call.ended');
});

test('reports that change no state tell nothing', async () => {
  const id = await started();
  await end(id);
  await reader.news();
  await end(id);
  await worker.app.get(OutcomeService).recordEvent('simulator', {
    callRequestId: id,
    carrierCallId: (await calling.row(id)).carrier_call_id as string,
    status: 'completed',
    at: new Date(),
  });
  await worker.sweep();
  expect(await reader.types()).toEqual([]);
});

test('an erasure writes the events of the ends that it makes, and removes the person from all events', async () => {
  use(await buildCaller(calling.db, {}, { first_message_template: 'Hello {{first}} {{gone}}' }));
  const phoneNumber = nextNumber();
  const talked = await started(phoneNumber);
  await calling.report(caller, talked, { disposition: 'secret', data: { said: 'secret' } }).expect(200);
  await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, {
    phoneNumbers: [phoneNumber],
    reason: 'secret',
  });
  await reader.news();
  const { contactId } = (await calling.get(caller, talked)).body as { contactId: string };
  await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).expect(204);
  expect(await reader.types()).toEqual([]);
  // Also while the call goes on, which keeps its first message.
  const during = await new FeedReader(calling, caller).news();
  expect(JSON.stringify(during)).not.toMatch(/secret|gone|Ada/);
  await end(talked);
  await expectTold(talked, 'call.answered', 'call.ended');
  const all = await new FeedReader(calling, caller).news();
  expect(all.map(({ type }) => type)).toEqual([
    'call.started',
    'call.result',
    'contact.opted_out',
    'call.answered',
    'call.ended',
  ]);
  expect(all.map(({ data }) => String(data.phoneNumber).slice(0, 7))).toEqual(Array(5).fill('erased:'));
  expect(JSON.stringify(all)).not.toMatch(/secret|gone|Ada/);
  const rows = await calling.db.query<object[]>('SELECT * FROM events WHERE team_id = $1', [caller.teamId]);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`secret|gone|Ada|${phoneNumber.slice(1)}`));
});

test('a pending call of an erased contact ends without its number', async () => {
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber });
  const { contactId } = (await calling.get(caller, id)).body as { contactId: string };
  await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).expect(204);
  await expectTold(id, 'call.ended');
});

test('the retention of calls writes no event, and earlier events stay', async () => {
  await calling.operated('patch', `/teams/${caller.teamId}`, { callRetentionDays: 31 });
  const id = await started();
  await end(id);
  const before = await reader.news();
  // The last one from a caller ID stays.
  await end(await started());
  expect(await reader.types()).toEqual(['call.started', 'call.answered', 'call.ended']);
  await moveClock(calling.db, '40 days');
  await worker.app.get(RetentionService).removeCalls(new AbortController().signal);
  expect(await listed(id)).toBeUndefined();
  expect(await reader.types()).toEqual([]);
  const after = await new FeedReader(calling, caller).news();
  expect(after.slice(0, before.length).map(({ data }) => data)).toEqual(
    before.map(({ data }) => ({ ...data, firstMessage: null })),
  );
});
