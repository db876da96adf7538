import { randomUUID } from 'node:crypto';
import { type CallView } from '../../src/calls/records/calls.service.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';

const calling = Calling.ofFile();
let caller: Caller;

/** Calls to these numbers ring, or talk, until they are hung up. */
const RINGING = '+1505';
const TALKING = '+1606';
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  await calling.startWorker();
  calling.setRules(
    { match: `${RINGING}*`, outcome: 'completed', ringMs: HOUR_MS },
    { match: `${TALKING}*`, outcome: 'completed', ringMs: 0, talkMs: HOUR_MS },
  );
  caller = await buildCaller(calling.db);
});

let last = 5_550_100;
async function placed(prefix: string): Promise<string> {
  const phoneNumber = `${prefix}${(last += 1)}`;
  const id = await calling.accepted(caller, { phoneNumber });
  await calling.until(caller, id, 'in_progress');
  return id;
}

const causes = ({ history }: { history: unknown[] }) =>
  (history as { to: string; cause: string }[]).map(({ to, cause }) => `${to} (${cause})`);
const BEGUN = ['queued (triggered)', 'dialing (claimed)', 'in_progress (carrier_accepted)'];

test('an unanswered call that is hung up ends as failed', async () => {
  const id = await placed(RINGING);
  const answer = await calling.hangUp(caller, id);
  expect([answer.status, (answer.body as CallView).callRequestId]).toEqual([202, id]);
  const view = await calling.until(caller, id, 'failed');
  expect(causes(view)).toEqual([...BEGUN, 'failed (hung_up)']);
  expect(view).toMatchObject({ reason: 'simulated_hang_up', answeredAt: null, durationSeconds: null });
});

test('a conversation ends as the carrier reports it', async () => {
  const id = await placed(TALKING);
  await eventually(
    async () => (await calling.get(caller, id)).body as CallView,
    ({ answeredAt }) => answeredAt !== null,
  );
  await calling.operated('post', `/teams/${caller.teamId}/calls/${id}/hang-up`);
  const view = await calling.until(caller, id, 'completed');
  expect(causes(view)).toEqual([...BEGUN, 'completed (hung_up)']);
  expect(view.durationSeconds).not.toBeNull();
});

test('409 not_in_progress for a call that has not begun, or has ended', async () => {
  const ended = await placed(RINGING);
  await calling.hangUp(caller, ended).expect(202);
  await calling.until(caller, ended, 'failed');
  await calling.db.query('UPDATE teams SET paused = true WHERE id = $1', [caller.teamId]);
  const waiting = await calling.accepted(caller, { phoneNumber: nextNumber() });
  for (const [id, status] of [
    [ended, 'failed'],
    [waiting, 'queued'],
  ] as const) {
    const answer = await calling.hangUp(caller, id);
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { error: `The call is ${status}; only a call in progress can be hung up`, reason: 'not_in_progress' },
    ]);
  }
  await calling.db.query('UPDATE teams SET paused = false WHERE id = $1', [caller.teamId]);
});

test('409 cannot_hang_up if the carrier does not hang up; the call ends as if it had not been asked', async () => {
  const id = await placed(RINGING);
  await calling.db.query(`UPDATE call_requests SET carrier = 'gone' WHERE id = $1`, [id]);
  const answer = await calling.hangUp(caller, id);
  expect([answer.status, answer.body]).toMatchObject([409, { reason: 'cannot_hang_up' }]);
  expect(await calling.row(id)).toMatchObject({ status: 'in_progress', hang_up_requested_at: null });
});

test('404 for an unknown, a malformed and another team’s call', async () => {
  const other = await buildCaller(calling.db);
  const id = await placed(RINGING);
  for (const [who, asked] of [
    [caller, randomUUID()],
    [caller, 'mine'],
    [other, id],
  ] as const) {
    const answer = await calling.hangUp(who, asked);
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([
      404,
      expect.stringContaining('Call not found'),
    ]);
  }
  expect((await calling.row(id)).status).toBe('in_progress');
});
