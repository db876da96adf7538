import { randomUUID } from 'node:crypto';
import { bearer, Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';

const calling = Calling.ofFile({ erasureKey: 'erasure-key-of-the-tests' });
const worker = calling.idleWorkerOfFile();
let caller: Caller;

beforeAll(async () => {
  caller = await buildCaller(calling.db);
});

/** A call to a new number that has ended. */
async function completed(of = caller): Promise<{ id: string; to: string }> {
  const to = nextNumber();
  const id = await calling.accepted(of, { phoneNumber: to });
  await worker.fire(id);
  await calling.until(of, id, 'completed');
  return { id, to };
}

const resultOf = async (id: string) =>
  ((await calling.get(caller, id).expect(200)).body as { result: object | null }).result;

const isSuppressed = async (phoneNumber: string, { teamId } = caller) => {
  const path = `/teams/${teamId}/do-not-call/${encodeURIComponent(phoneNumber)}`;
  return (await calling.operator('get', path)).status === 200;
};

/** An instant in whole seconds, as answers write it. */
const inDays = (days: number) =>
  new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * 86_400_000).toISOString();
const LATER = inDays(120);
const LATER_BY_OFFSET = new Date(Date.parse(LATER) + 7_200_000).toISOString().replace('.000Z', '+02:00');

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

describe('POST /api/calls/{callRequestId}/result', () => {
  test('stores the result, and the call shows it to its team and to the operator', async () => {
    const { id, to } = await completed();
    expect(await resultOf(id)).toBeNull();
    const data = { mood: 'good', budget: 1200, list: [1, null] };
    const sent = { disposition: 'call_later', callbackAt: LATER_BY_OFFSET, data };
    const answer = await calling.report(caller, id.toUpperCase(), sent).expect(200);
    const shown = { ...sent, callbackAt: LATER, optOut: false, recordedAt: INSTANT };
    expect(answer.body).toMatchObject({ callRequestId: id, status: 'completed', result: shown });
    expect(await resultOf(id)).toEqual(shown);
    const read = await calling.operator('get', `/teams/${caller.teamId}/calls/${id}`).expect(200);
    expect((read.body as { result: object }).result).toEqual(shown);
    expect(await isSuppressed(to)).toBe(false);
  });

  test('is 409 before the claim of the call, and accepted after it', async () => {
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const answer = await calling.report(caller, id, { disposition: 'interested' });
    expect([answer.status, answer.body]).toEqual([409, { error: 'The call is queued and was not dialed' }]);
    calling.setRules({ match: '*', outcome: 'hang' });
    const firing = worker.fire(id);
    await calling.until(caller, id, 'dialing');
    calling.setRules();
    await calling.report(caller, id, { disposition: 'interested' }).expect(200);
    await firing;
  });

  test('is 200 for the same result again and 409 for another one; the first result stays', async () => {
    const { id } = await completed();
    const first = {
      disposition: 'interested',
      callbackAt: LATER_BY_OFFSET,
      data: { a: 1, b: [2] },
    };
    await calling.report(caller, id, first).expect(200);
    const stored = await resultOf(id);
    const same = {
      data: { b: [2], a: 1 },
      callbackAt: LATER.replace('.000Z', 'Z'),
      disposition: 'interested',
      optOut: null,
    };
    await calling.report(caller, id, same).expect(200);
    for (const other of [
      {},
      { ...first, disposition: 'angry' },
      { ...first, data: { a: 1 } },
      { ...first, callbackAt: null },
    ]) {
      const answer = await calling.report(caller, id, other);
      expect([answer.status, answer.body]).toEqual([409, { error: 'The call has another result' }]);
    }
    expect(await resultOf(id)).toEqual(stored);
  });

  test('is 404 for an unknown call and for another team’s call', async () => {
    const other = await buildCaller(calling.db);
    const { id, to } = await completed(other);
    for (const unknown of [id, randomUUID(), 'x']) {
      const answer = await calling.report(caller, unknown, { optOut: true });
      expect([answer.status, answer.body]).toEqual([404, { error: 'Call not found' }]);
    }
    expect(await isSuppressed(to, other)).toBe(false);
  });

  test.each([
    [{ disposition: '' }, /^disposition must/],
    [{ disposition: 7 }, /^disposition must/],
    [{ disposition: 'x'.repeat(81) }, /^disposition must/],
    [{ callbackAt: '2027-03-28T09:00:00' }, /^callbackAt must be a date-time with an offset/],
    [{ callbackAt: '2027-02-29T09:00:00Z' }, /^callbackAt must/],
    [{ callbackAt: 'tomorrow' }, /^callbackAt must/],
    [
      { callbackAt: '9999-01-01T00:00:00Z' },
      /^callbackAt must be at most a day ago and at most a year ahead/,
    ],
    [{ callbackAt: '1900-01-01T00:00:00Z' }, /^callbackAt must be at most a day ago/],
    [{ callbackAt: inDays(-1.1) }, /^callbackAt must be at most a day ago/],
    [{ callbackAt: inDays(367) }, /^callbackAt must be at most a day ago/],
    [{ optOut: 'true' }, /^optOut must/],
    [{ data: [1] }, /^data must be an object/],
    [{ data: { long: 'x'.repeat(65_536) } }, /^data must be at most 65536 bytes/],
    [{ optout: true }, /^A result has disposition, callbackAt, optOut, data and nothing else/],
  ])('%j is 400', async (body, message) => {
    const { id } = await completed();
    const answer = await calling.report(caller, id, body);
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
    expect(await resultOf(id)).toBeNull();
  });
});

test.each([-0.9, 0.5, 364])('a callback in %d days is taken', async (days) => {
  const { id } = await completed();
  const callbackAt = inDays(days);
  await calling.report(caller, id, { callbackAt }).expect(200);
  expect(await resultOf(id)).toMatchObject({ callbackAt });
});

describe('the opt-out of a result is applied', () => {
  test('in a valid result: the enrollment is suppressed, and the call shows the opt-out', async () => {
    const { id, to } = await completed();
    await calling.report(caller, id, { optOut: true }).expect(200);
    expect(await isSuppressed(to)).toBe(true);
    expect(await resultOf(id)).toMatchObject({ optOut: true });
    expect((await calling.trigger(caller, { phoneNumber: to })).body).toMatchObject({
      reason: 'DO_NOT_CALL',
    });
  });

  test('and ends the pending calls to the number in the same transaction', async () => {
    const later = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const { id, to } = await completed();
    await calling.db.query('UPDATE voice_agents SET team_id = $1, outbound_phone_number = $2 WHERE id = $3', [
      caller.teamId,
      caller.callerNumber,
      later.agentId,
    ]);
    const pending = await calling.accepted({ ...caller, agentId: later.agentId }, { phoneNumber: to });
    await calling.report(caller, id, { optOut: true }).expect(200);
    expect(await calling.row(pending)).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
  });

  test('in a repeated result, also if the number was removed from the list meanwhile', async () => {
    const { id, to } = await completed();
    const result = { disposition: 'angry', optOut: true };
    await calling.report(caller, id, result).expect(200);
    await calling.operated('delete', `/teams/${caller.teamId}/do-not-call/${encodeURIComponent(to)}`);
    await calling.report(caller, id, result).expect(200);
    expect(await isSuppressed(to)).toBe(true);
  });

  test('in a result that contradicts the first', async () => {
    const { id, to } = await completed();
    await calling.report(caller, id, { disposition: 'interested' }).expect(200);
    await calling.report(caller, id, { disposition: 'angry', optOut: true }).expect(409);
    expect(await isSuppressed(to)).toBe(true);
    expect(await resultOf(id)).toMatchObject({ disposition: 'interested', optOut: false });
  });

  test.each([
    { callbackAt: 'never' },
    { callbackAt: '9999-01-01T00:00:00Z' },
    { callbackAt: inDays(-2) },
    { disposition: '' },
    { data: 'x' },
    { unknown: 1 },
  ])('in a malformed result: %j', async (wrong) => {
    const { id, to } = await completed();
    await calling.report(caller, id, { ...wrong, optOut: true }).expect(400);
    expect(await isSuppressed(to)).toBe(true);
    expect(await resultOf(id)).toBeNull();
  });

  test('in a result before the claim: the call is not dialed', async () => {
    const to = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber: to });
    await calling
      .report(caller, id, { optOut: true })
      .expect(409, { error: 'The call is blocked and was not dialed' });
    expect(await isSuppressed(to)).toBe(true);
    await worker.fire(id);
    expect(calling.dials(to)).toEqual([]);
  });

  test('for an erased contact: the number stays suppressed in its erased form', async () => {
    const { id, to } = await completed();
    const { contact_id: contactId } = await calling.row(id);
    await calling
      .http()
      .delete(`/api/contacts/${contactId as string}`)
      .set(bearer(caller.apiKey))
      .expect(204);
    await calling
      .report(caller, id, { disposition: 'Ada is angry', data: { name: 'Ada' }, optOut: true })
      .expect(200);
    expect(await isSuppressed(to)).toBe(true);
    expect((await calling.trigger(caller, { phoneNumber: to })).body).toMatchObject({
      reason: 'DO_NOT_CALL',
    });
    // Later results of an erased call keep the outcome only.
    expect(await resultOf(id)).toEqual({
      disposition: null,
      callbackAt: null,
      optOut: true,
      data: null,
      recordedAt: INSTANT,
    });
  });

  test('in each of twenty contradicting results at one instant, of which one is stored', async () => {
    const { id, to } = await completed();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        calling.report(caller, id, { disposition: `d${n}`, optOut: n === 7 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await isSuppressed(to)).toBe(true);
  });
});

test('the export of a person contains the results of the calls', async () => {
  const { id } = await completed();
  await calling.report(caller, id, { disposition: 'interested', data: { said: 'yes' } }).expect(200);
  const { contact_id: contactId } = await calling.row(id);
  const answer = await calling
    .http()
    .get(`/api/contacts/${contactId as string}/export`)
    .set(bearer(caller.apiKey));
  expect((answer.body as { calls: object[] }).calls[0]).toMatchObject({
    callRequestId: id,
    result: { disposition: 'interested', data: { said: 'yes' } },
  });
});

test('the result of a simulator’s rule is reported with a completed call', async () => {
  const to = nextNumber();
  const result = { disposition: 'call_later', callbackAt: LATER_BY_OFFSET, optOut: true };
  calling.setRules({ match: to, outcome: 'completed', result });
  const id = await calling.accepted(caller, { phoneNumber: to });
  await worker.fire(id);
  const call = await calling.until(caller, id, 'completed');
  expect(call.result).toMatchObject({ ...result, callbackAt: LATER });
  expect(await isSuppressed(to)).toBe(true);
});
