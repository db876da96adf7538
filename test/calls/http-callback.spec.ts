import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { REFUSALS } from '../../src/carriers/http/refusals.js';
import { Signature } from '../../src/carriers/http/signature.js';
import { HTTP_SECRET } from '../carriers/support.js';
import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { read } from '../support/repository.js';

const signature = new Signature(HTTP_SECRET);
const calling = Calling.ofFile({ httpCarrierSecret: HTTP_SECRET });
let caller: Caller;

beforeAll(async () => {
  caller = await buildCaller(calling.db);
});

/** A claimed call of some carrier, about which nothing has been said yet. */
async function claimed(carrier: string | null = 'http'): Promise<string> {
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.db.query(
    `UPDATE call_requests SET status = 'dialing', claimed_at = now() - interval '1 minute', processed_at = now(),
       caller_id = $2, carrier = $3 WHERE id = $1`,
    [id, caller.callerNumber, carrier],
  );
  return id;
}

const reportOf = (callRequestId: string, more: object = {}) => ({
  callRequestId,
  carrierCallId: 'line-1',
  status: 'completed',
  at: new Date().toISOString(),
  ...more,
});

function post(body: string | Buffer, headers: Record<string, string>) {
  return supertest(calling.api.getHttpServer())
    .post('/api/carriers/http/events')
    .set({ 'content-type': 'application/json', ...headers })
    .serialize((text: unknown) => text as string)
    .send(body);
}

function report(value: object, id: string = randomUUID()) {
  const body = JSON.stringify(value);
  return post(body, signature.headersFor(id, body));
}

test('a report changes its call’s state and stores the conversation details', async () => {
  const id = await claimed();
  const [answeredAt, at] = [Date.now() - 30_000, Date.now() - 1_000].map((ms) => new Date(ms).toISOString());
  const answer = await report(reportOf(id, { answeredAt, at, durationSeconds: 29 }));
  expect([answer.status, answer.body]).toEqual([200, { moved: true }]);
  expect((await calling.get(caller, id)).body).toMatchObject({
    status: 'completed',
    answeredAt,
    endedAt: at,
    durationSeconds: 29,
  });
});

test('the reason of a failure is stored', async () => {
  const id = await claimed();
  await report(reportOf(id, { status: 'failed', reason: 'line_broken' })).expect(200);
  expect(await calling.row(id)).toMatchObject({ status: 'failed', reason: 'line_broken' });
});

describe('the reasons of docs/carriers.md that say who refused the call', () => {
  /** Each reason of a report, and the reason that it becomes. */
  function documented(): [reported: string, stored: string][] {
    const [, item = ''] = /^- `reason`: ([\s\S]*?)(?=\n\n|\n- )/m.exec(read('docs/carriers.md')) ?? [];
    return [...item.matchAll(/((?:`[\w+]+`,?\s+)+)become\s+`(\w+)`/g)].flatMap(
      ([, names = '', stored = '']) =>
        [...names.matchAll(/`([\w+]+)`/g)].map(([, name = '']): [string, string] => [name, stored]),
    );
  }

  test('are those of the carrier', () => {
    expect(Object.fromEntries(documented())).toEqual(REFUSALS);
    expect(documented()).toContainEqual(['marked_as_spam', 'network_blocked']);
  });

  test.each(documented())(
    '%s becomes %s, and the call that was not answered ends failed',
    async (reason, stored) => {
      for (const status of ['busy', 'no_answer', 'failed']) {
        const id = await claimed();
        await report(reportOf(id, { status, reason })).expect(200, { moved: true });
        expect(await calling.row(id)).toMatchObject({ status: 'failed', reason: stored });
      }
    },
  );

  test('do not change a call that was answered, and other reasons stay as they are', async () => {
    const answered = await claimed();
    await report(reportOf(answered, { reason: 'marked_as_spam' })).expect(200);
    expect(await calling.row(answered)).toMatchObject({ status: 'completed', reason: 'marked_as_spam' });
    for (const reason of ['constructor', 'SIP_603', 'sip_486']) {
      const id = await claimed();
      await report(reportOf(id, { status: 'busy', reason })).expect(200);
      expect(await calling.row(id)).toMatchObject({ status: 'busy', reason });
    }
  });
});

test('repeated and misordered reports change nothing', async () => {
  const id = await claimed();
  const end = reportOf(id);
  expect((await report(end, 'same')).body).toEqual({ moved: true });
  expect((await report(end, 'same')).body).toEqual({ moved: false });
  expect((await report(reportOf(id, { status: 'in_progress' }))).body).toEqual({ moved: false });
  expect((await report(reportOf(id, { status: 'busy' }))).body).toEqual({ moved: false });
  const { status, history } = await calling.row(id);
  expect([status, history.length]).toEqual(['completed', 2]);
});

test('a report is 404 for an unknown call, another carrier’s call, and one that is not claimed yet', async () => {
  const pending = await calling.accepted(caller, { phoneNumber: nextNumber() });
  for (const id of [randomUUID(), await claimed('simulator'), pending]) {
    const answer = await report(reportOf(id));
    expect([answer.status, answer.body]).toEqual([404, { error: 'Call not found' }]);
  }
  expect(await calling.row(pending)).toMatchObject({ status: 'queued' });
});

describe('a report with a result', () => {
  const resultOf = async (id: string) =>
    ((await calling.get(caller, id).expect(200)).body as { result: object | null }).result;
  const suppressed = async (id: string) => {
    const { phone_number: number } = await calling.row(id);
    const sql = 'SELECT FROM do_not_call WHERE team_id = $1 AND phone_number = $2';
    return (await calling.db.query<object[]>(sql, [caller.teamId, number])).length === 1;
  };

  test('has the same fields as the team’s result', async () => {
    const id = await claimed();
    const result = { disposition: 'call_later', callbackAt: '2027-03-28T09:00:00+02:00', data: { a: 1 } };
    await report(reportOf(id, { ...result, optOut: true })).expect(200, { moved: true });
    const stored = { ...result, callbackAt: '2027-03-28T07:00:00.000Z', optOut: true };
    expect(await resultOf(id)).toMatchObject(stored);
    expect(await suppressed(id)).toBe(true);
    // The team says the same.
    await calling.report(caller, id, { ...result, optOut: true }).expect(200);
  });

  test('is accepted during a call; `optOut: false` without more is no result', async () => {
    const id = await claimed();
    await report(reportOf(id, { status: 'in_progress', optOut: false })).expect(200);
    expect(await resultOf(id)).toBeNull();
    await report(reportOf(id, { status: 'in_progress', disposition: 'interested' })).expect(200);
    expect(await resultOf(id)).toMatchObject({ disposition: 'interested' });
  });

  test('is 409 if it contradicts the first result; the rest of the report is recorded, and the opt-out applied', async () => {
    const id = await claimed();
    await calling.report(caller, id, { disposition: 'interested' }).expect(200);
    const answer = await report(reportOf(id, { disposition: 'angry', optOut: true }));
    expect([answer.status, answer.body]).toEqual([409, { error: 'The call has another result' }]);
    expect(await calling.row(id)).toMatchObject({ status: 'completed' });
    expect(await resultOf(id)).toMatchObject({ disposition: 'interested', optOut: false });
    expect(await suppressed(id)).toBe(true);
  });

  test('is 400 if it is malformed, and its opt-out is applied', async () => {
    for (const wrong of [{ callbackAt: 'never' }, { at: 'now' }, { status: 'ended' }]) {
      const id = await claimed();
      await report(reportOf(id, { ...wrong, optOut: true })).expect(400);
      expect(await calling.row(id)).toMatchObject({ status: 'dialing' });
      expect(await suppressed(id)).toBe(true);
    }
  });

  test('has no effect on another carrier’s call', async () => {
    const id = await claimed('simulator');
    await report(reportOf(id, { optOut: true })).expect(404);
    await report(reportOf(id, { optOut: true, at: 'now' })).expect(400);
    expect([await suppressed(id), await resultOf(id)]).toEqual([false, null]);
  });
});

describe('401', () => {
  const wrong: [string, (body: string) => [string | Buffer, Record<string, string>]][] = [
    ['no signature', (body) => [body, {}]],
    ['a bearer token', (body) => [body, { authorization: `Bearer ${HTTP_SECRET}` }]],
    [
      'another secret',
      (body) => [body, new Signature(`whsec_${Buffer.alloc(24).toString('base64')}`).headersFor('x', body)],
    ],
    ['another body', (body) => [`${body} `, signature.headersFor('x', body)]],
    ['an old signature', (body) => [body, signature.headersFor('x', body, new Date(Date.now() - 301_000))]],
    ['one of the future', (body) => [body, signature.headersFor('x', body, new Date(Date.now() + 310_000))]],
    ['a body that is no JSON, and not signed', () => ['{', {}]],
  ];
  test.each(wrong)('%s', async (_, request) => {
    const id = await claimed();
    const [body, headers] = request(JSON.stringify(reportOf(id)));
    const answer = await post(body, headers);
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid webhook signature' }]);
    expect(await calling.row(id)).toMatchObject({ status: 'dialing' });
  });

  test('every request is 401 where the carrier is not configured', async () => {
    const other = await Calling.start();
    try {
      const body = JSON.stringify(reportOf(randomUUID()));
      const answer = await supertest(other.api.getHttpServer())
        .post('/api/carriers/http/events')
        .set({ 'content-type': 'application/json', ...signature.headersFor('x', body) })
        .send(body);
      expect(answer.status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

test.each([
  ['{', 'The body is not valid JSON'],
  ['[]', 'The body must be a JSON object'],
  [JSON.stringify({ callRequestId: 'x' }), 'callRequestId must be a UUID'],
  [JSON.stringify(reportOf(randomUUID(), { status: 'ringing' })), 'status must be one of'],
  [JSON.stringify(reportOf(randomUUID(), { answeredAt: 'now' })), 'answeredAt must be a UTC date-time'],
  [
    JSON.stringify(reportOf(randomUUID(), { durationSeconds: 1.5 })),
    'durationSeconds must be a whole number',
  ],
])('signed and malformed, %s is 400', async (body, message) => {
  const answer = await post(body, signature.headersFor('x', body));
  expect([answer.status, answer.body]).toEqual([400, { error: expect.stringContaining(message) as string }]);
});

test('the signature covers the bytes as they were sent, including white space', async () => {
  const body = JSON.stringify(reportOf(await claimed()), null, 4);
  expect((await post(body, signature.headersFor('x', body))).status).toBe(200);
});

test('a body that is too large is 413', async () => {
  const large = JSON.stringify(reportOf(randomUUID(), { more: 'x'.repeat(300_000) }));
  expect((await post(large, signature.headersFor('x', large))).status).toBe(413);
});

test('parallel reports about one call change it once', async () => {
  const id = await claimed();
  const answers = await Promise.all(Array.from({ length: 20 }, () => report(reportOf(id))));
  expect(answers.filter(({ body }) => (body as { moved: boolean }).moved)).toHaveLength(1);
});
