import { startCampaign } from '../campaigns/support/campaign-tests.js';
import { runDue } from '../campaigns/support/played-campaign.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, weekdays } from '../support/call-builders.js';
import { bearer, Calling, reasonOf } from '../support/calling.js';
import { setClock } from '../support/clock.js';

/* `?notBefore=` and `?notAfter=` of the call endpoint and of its dry run. */

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

/** A Friday; 10:00 in New York. */
const NOW = '2026-11-20T15:00:00.000Z';

beforeEach(() => setClock(calling.db, NOW));

const path = ({ agentId }: Caller, query: string, explain = '') =>
  `/api/voice-agents/${agentId}/calls${explain}?${query}`;

function trigger(caller: Caller, query: string, body: object, key?: string) {
  const request = calling.http().post(path(caller, query)).set(bearer(caller.apiKey));
  return (key === undefined ? request : request.set('Idempotency-Key', key)).send(body);
}

interface Accepted {
  callRequestId: string;
  rescheduled?: boolean;
  runsAt?: string;
  warnings?: { key: string; text: string }[];
}

async function accepted(caller: Caller, query: string, phoneNumber = nextNumber()): Promise<Accepted> {
  const answer = await trigger(caller, query, { phoneNumber });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Accepted;
}

/** The fields and parameters that a refusal names. */
function pathsOf({ text }: { text: string }): string[] {
  return (JSON.parse(text) as { errors: { path: string }[] }).errors.map((error) => error.path);
}

test('a call waits for the first opening at or after notBefore, and is dialed then', async () => {
  const caller = await buildCaller(calling.db, {}, weekdays('America/New_York'));
  const phoneNumber = nextNumber();
  // 18:00 on Saturday. The hours open again on Monday at nine.
  const { callRequestId: id, ...answer } = await accepted(
    caller,
    'notBefore=2026-11-21T18:00:00-05:00',
    phoneNumber,
  );
  expect(answer).toMatchObject({ rescheduled: true, runsAt: '2026-11-23T14:00:00.000Z' });
  expect((await calling.get(caller, id).expect(200)).body).toMatchObject({
    status: 'scheduled',
    runsAt: '2026-11-23T14:00:00.000Z',
    expiresAt: '2026-11-24T14:00:00.000Z',
    notBefore: '2026-11-21T23:00:00.000Z',
    notAfter: null,
  });
  expect(await worker.fire(id)).toMatchObject({ kind: 'early' });
  await setClock(calling.db, '2026-11-23T14:00:00.000Z');
  expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  await calling.until(caller, id, 'completed');
  expect(calling.dials(phoneNumber)).toHaveLength(1);
});

test('inside of calling hours the opening is notBefore itself, also with an unescaped plus', async () => {
  const caller = await buildCaller(calling.db);
  expect((await accepted(caller, 'notBefore=2026-11-21T18:00:00.250+01:00')).runsAt).toBe(
    '2026-11-21T17:00:00.250Z',
  );
});

test('an instant of the past means at once', async () => {
  const caller = await buildCaller(calling.db);
  expect(await accepted(caller, 'notBefore=2026-11-20T15:00:00Z')).not.toHaveProperty('runsAt');
  expect(await accepted(caller, 'notBefore=2020-01-01T00:00:00Z')).not.toHaveProperty('runsAt');
});

test('a call expires at its notAfter', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  const query = 'notBefore=2026-11-21T18:00:00Z&notAfter=2026-11-21T18:30:00Z';
  const { callRequestId: id } = await accepted(caller, query, phoneNumber);
  await setClock(calling.db, '2026-11-21T18:30:00.000Z');
  expect(await worker.fire(id)).toEqual({ kind: 'expired' });
  expect(await calling.row(id)).toMatchObject({ status: 'expired' });
  expect(calling.dials(phoneNumber)).toEqual([]);
});

test('a call that moves to a later opening still expires at its notAfter', async () => {
  const caller = await buildCaller(calling.db);
  const { callRequestId: id } = await accepted(caller, 'notAfter=2026-11-23T12:00:00Z');
  await calling.db.query('UPDATE voice_agents SET calling_hours = $2 WHERE id = $1', [
    caller.agentId,
    weekdays('UTC').calling_hours,
  ]);
  await setClock(calling.db, '2026-11-20T18:00:00.000Z');
  expect(await worker.fire(id)).toEqual({ kind: 'rescheduled' });
  expect(await calling.row(id)).toMatchObject({ expires_at: new Date('2026-11-23T12:00:00Z') });
});

test('where no opening is before notAfter, the answer warns, and the call expires', async () => {
  const caller = await buildCaller(calling.db, {}, weekdays('UTC'));
  const query = 'notBefore=2026-11-21T09:00:00Z&notAfter=2026-11-21T17:00:00Z';
  const answer = await accepted(caller, query);
  expect(answer.runsAt).toBe('2026-11-23T09:00:00.000Z');
  expect(answer.warnings).toEqual([
    { key: 'notAfter', text: expect.stringContaining('2026-11-23T09:00:00.000Z') as string },
  ]);
  await setClock(calling.db, '2026-11-21T17:00:01.000Z');
  await worker.sweep();
  expect(await calling.row(answer.callRequestId)).toMatchObject({ status: 'expired' });
});

test.each([
  ['notBefore=2026-11-21T18:00:00', 'notBefore'],
  ['notBefore=2026-11-21', 'notBefore'],
  ['notBefore=', 'notBefore'],
  ['notBefore=tomorrow', 'notBefore'],
  ['notBefore=2027-02-18T15:05:00Z', 'notBefore'],
  ['notAfter=2027-02-18T15:05:00Z', 'notAfter'],
  ['notAfter=2026-11-20T15:00:00Z', 'notAfter'],
  ['notBefore=2026-11-21T00:00:00Z&notAfter=2026-11-21T00:00:00Z', 'notAfter'],
  ['notBefore=2026-11-21T00:00:00Z&notBefore=2026-11-22T00:00:00Z', 'notBefore'],
  ['notbefore=2026-11-21T00:00:00Z', 'notbefore'],
  ['not_after=2026-11-21T00:00:00Z', 'not_after'],
])('%s is refused and names %s, by the trigger and by its dry run', async (query, parameter) => {
  const caller = await buildCaller(calling.db);
  for (const explain of ['', '/explain']) {
    const answer = await calling
      .http()
      .post(path(caller, query, explain))
      .set(bearer(caller.apiKey))
      .send({ phoneNumber: nextNumber() });
    expect([answer.status, reasonOf(answer)]).toEqual([400, 'INVALID_REQUEST']);
    expect(pathsOf(answer)).toEqual([parameter]);
  }
  expect(await calling.rows(caller.teamId)).toEqual([]);
});

test('90 days ahead is accepted', async () => {
  const caller = await buildCaller(calling.db);
  expect((await accepted(caller, 'notBefore=2027-02-18T15:00:00.000Z')).runsAt).toBe(
    '2027-02-18T15:00:00.000Z',
  );
});

test('a faulty body and a faulty parameter are named together', async () => {
  const caller = await buildCaller(calling.db);
  const answer = await trigger(caller, 'notBefore=soon', { email: 7 });
  expect(answer.status).toBe(400);
  expect(pathsOf(answer)).toEqual(['phoneNumber', 'email', 'notBefore']);
});

test('a call more than 24 hours away blocks no other call and no campaign, and then it does', async () => {
  const { caller, campaign } = await startCampaign(calling, { steps: [{ key: 'first', after: 'PT0S' }] });
  const { id: enrollment, to } = await campaign.enroll();
  const { callRequestId: later } = await accepted(caller, 'notBefore=2026-11-22T15:00:00Z', to);
  const now = await calling.accepted(caller, { phoneNumber: to });
  await calling.cancel(caller, now).expect(200);
  // 24 hours before it, the call counts.
  await setClock(calling.db, '2026-11-21T15:00:00.000Z');
  expect(reasonOf(await calling.trigger(caller, { phoneNumber: to }))).toBe('ALREADY_SCHEDULED');
  await runDue(worker.app);
  expect(await campaign.row(enrollment)).toMatchObject({ waiting_for: 'number_busy' });
  await calling.cancel(caller, later).expect(200);
  await accepted(caller, 'notBefore=2026-11-29T15:00:00Z', to);
  await setClock(calling.db, '2026-11-23T15:00:00.000Z');
  await runDue(worker.app);
  expect(calling.dials(to)).toHaveLength(1);
});

test('the dry run explains the window', async () => {
  const caller = await buildCaller(calling.db, {}, weekdays('America/New_York'));
  const answer = await calling
    .http()
    .post(path(caller, 'notBefore=2026-11-21T18:00:00-05:00', '/explain'))
    .set(bearer(caller.apiKey))
    .send({ phoneNumber: nextNumber() })
    .expect(200);
  expect(answer.body).toMatchObject({
    wouldBe: 'scheduled',
    runsAt: '2026-11-23T14:00:00.000Z',
    firstAllowedAt: '2026-11-23T14:00:00.000Z',
  });
});

test('the parameters belong to the request of an Idempotency-Key', async () => {
  const caller = await buildCaller(calling.db);
  const body = { phoneNumber: nextNumber() };
  const query = 'notBefore=2026-11-22T15:00:00Z';
  const first = await trigger(caller, query, body, 'once');
  expect(first.status).toBe(200);
  const again = await trigger(caller, query, body, 'once');
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  expect(again.body).toEqual(first.body);
  const other = await trigger(caller, 'notBefore=2026-11-23T15:00:00Z', body, 'once');
  expect([other.status, reasonOf(other)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});

test('an answer is repeated although its window is over', async () => {
  const caller = await buildCaller(calling.db);
  const body = { phoneNumber: nextNumber() };
  const query = 'notAfter=2026-11-20T16:00:00Z';
  const first = await trigger(caller, query, body, 'once');
  await setClock(calling.db, '2026-11-20T17:00:00.000Z');
  const again = await trigger(caller, query, body, 'once');
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await trigger(caller, query, body, 'twice')).status).toBe(400);
});
