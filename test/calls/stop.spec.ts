import { type CallView } from '../../src/calls/records/calls.service.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';

const calling = Calling.ofFile();
const RINGING = '+1505';
const SLOW = '+1606';
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  await calling.startWorker();
  calling.setRules(
    { match: `${SLOW}*`, outcome: 'completed', acceptMs: 1_000, ringMs: HOUR_MS },
    { match: '*', outcome: 'completed', ringMs: HOUR_MS },
  );
});

let last = 5_550_100;
const numberIn = (prefix: string) => `${prefix}${(last += 1)}`;

async function ringing(caller: Caller): Promise<string> {
  const id = await calling.accepted(caller, { phoneNumber: numberIn(RINGING) });
  await calling.until(caller, id, 'in_progress');
  return id;
}

const byKey = (caller: Caller, action: 'stop' | 'resume') =>
  calling.http().post(`/api/${action}`).set(bearer(caller.apiKey));
const isPaused = async ({ teamId }: Caller) =>
  ((await calling.operator('get', `/teams/${teamId}`)).body as { paused: boolean }).paused;
const causeOf = ({ history }: CallView) => (history.at(-1) as { cause: string }).cause;

test('a key pauses its team and hangs up its calls, not those of another team, and resumes it', async () => {
  const [own, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const [first, second, theirs] = [await ringing(own), await ringing(own), await ringing(other)];
  const answer = await byKey(own, 'stop').expect(202);
  expect(answer.body).toEqual({ paused: true, hungUp: 2, cannotHangUp: 0, remaining: 0 });
  for (const id of [first, second]) expect(causeOf(await calling.until(own, id, 'failed'))).toBe('hung_up');
  expect((await calling.row(theirs)).status).toBe('in_progress');
  expect([await isPaused(own), await isPaused(other)]).toEqual([true, false]);

  const waiting = await calling.accepted(own, { phoneNumber: numberIn(RINGING) });
  expect((await byKey(own, 'stop').expect(202)).body).toMatchObject({ hungUp: 0, remaining: 0 });
  expect((await calling.row(waiting)).status).toBe('queued');
  expect((await byKey(own, 'resume').expect(200)).body).toEqual({ paused: false });
  expect(await isPaused(own)).toBe(false);
  await calling.until(own, waiting, 'in_progress');
});

test('a call that is being dialed is hung up once its carrier has accepted it', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = numberIn(SLOW);
  const id = await calling.accepted(caller, { phoneNumber });
  await eventually(
    () => Promise.resolve(calling.dials(phoneNumber).length),
    (dials) => dials === 1,
  );
  const answer = await calling.operator('post', `/teams/${caller.teamId}/stop`);
  expect([answer.status, answer.body]).toMatchObject([202, { hungUp: 1, remaining: 0 }]);
  expect(causeOf(await calling.until(caller, id, 'failed'))).toBe('hung_up');
});

test('a call whose carrier cannot hang up is counted', async () => {
  const caller = await buildCaller(calling.db);
  const id = await ringing(caller);
  await calling.db.query(`UPDATE call_requests SET carrier = 'gone' WHERE id = $1`, [id]);
  const answer = await byKey(caller, 'stop').expect(202);
  expect(answer.body).toEqual({ paused: true, hungUp: 0, cannotHangUp: 1, remaining: 0 });
});

test('a key does not end a pause by the operator', async () => {
  const caller = await buildCaller(calling.db);
  await byKey(caller, 'stop').expect(202);
  await calling.operated('post', `/teams/${caller.teamId}/pause`);
  await byKey(caller, 'stop').expect(202);
  const answer = await byKey(caller, 'resume').expect(409);
  expect(answer.body).toMatchObject({ error: 'The operator has paused the team, and can resume it' });
  expect(await isPaused(caller)).toBe(true);
  await calling.operated('post', `/teams/${caller.teamId}/resume`);
  await byKey(caller, 'resume').expect(200);
  expect(await isPaused(caller)).toBe(false);
});

test('the operator stops all teams; each key needs the scope calls', async () => {
  const [one, two] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const ids = [await ringing(one), await ringing(two)];
  const answer = await calling.operator('post', '/stop');
  expect([answer.status, answer.body]).toMatchObject([202, { paused: true, remaining: 0 }]);
  const { hungUp } = answer.body as { hungUp: number };
  expect(hungUp).toBeGreaterThanOrEqual(2);
  for (const [index, caller] of [one, two].entries()) await calling.until(caller, ids[index]!, 'failed');
  await calling.operated('post', '/resume');
  const fields = { name: 'Reader', scopes: ['read'] };
  const made = await calling.operated('post', `/teams/${one.teamId}/api-keys`, fields);
  const { key: apiKey } = made.body as { key: string };
  for (const action of ['stop', 'resume'] as const) await byKey({ ...one, apiKey }, action).expect(403);
});
