import { randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { postRaw } from '../support/raw-http.js';

// The worker takes no jobs of its own here.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();
let caller: Caller;

beforeAll(async () => {
  caller = await buildCaller(
    calling.db,
    {},
    { prompt_template: '{{contact}}{{gone}}', first_message_template: 'Hi' },
  );
});

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const read = async (id: string) =>
  (await calling.get(caller, id).expect(200)).body as Record<string, unknown>;

describe('GET /api/calls/{callRequestId}', () => {
  test('a pending call has exactly these fields', async () => {
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber, name: 'Ada', secret: 'x' });
    const row = await calling.row(id);
    expect(await read(id)).toEqual({
      callRequestId: id,
      contactId: row.contact_id,
      externalId: null,
      agentId: caller.agentId,
      enrollmentId: null,
      campaignId: null,
      acceptedAt: row.runs_at.toISOString(),
      status: 'queued',
      reason: null,
      runsAt: row.runs_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      notBefore: null,
      notAfter: null,
      phoneNumber,
      callerId: null,
      answeredAt: null,
      endedAt: null,
      durationSeconds: null,
      prompt: null,
      firstMessage: null,
      unknownPlaceholders: [],
      result: null,
      history: [{ at: row.runs_at.toISOString(), from: null, to: 'queued', cause: 'triggered' }],
    });
  });

  test('a scheduled call has the runsAt of the trigger’s answer', async () => {
    const closed = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const answer = await calling.trigger(closed, { phoneNumber: nextNumber() });
    const { callRequestId, runsAt } = answer.body as { callRequestId: string; runsAt: string };
    const call = (await calling.get(closed, callRequestId)).body as { status: string; runsAt: string };
    expect(call).toMatchObject({ status: 'scheduled', runsAt });
  });

  test('a completed call', async () => {
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber, name: 'Ada' });
    await worker.fire(id);
    await calling.until(caller, id, 'completed');
    expect(await read(id)).toEqual({
      callRequestId: id,
      contactId: (await calling.row(id)).contact_id,
      externalId: null,
      agentId: caller.agentId,
      enrollmentId: null,
      campaignId: null,
      acceptedAt: INSTANT,
      status: 'completed',
      reason: null,
      runsAt: INSTANT,
      expiresAt: INSTANT,
      notBefore: null,
      notAfter: null,
      phoneNumber,
      callerId: caller.callerNumber,
      answeredAt: INSTANT,
      endedAt: INSTANT,
      durationSeconds: 0,
      prompt: 'Ada',
      firstMessage: 'Hi',
      unknownPlaceholders: ['gone'],
      result: null,
      history: [
        { at: INSTANT, from: null, to: 'queued', cause: 'triggered' },
        { at: INSTANT, from: 'queued', to: 'dialing', cause: 'claimed' },
        { at: INSTANT, from: 'dialing', to: 'in_progress', cause: 'carrier_accepted' },
        { at: INSTANT, from: 'in_progress', to: 'completed', cause: 'carrier_report' },
      ],
    });
  });

  test('a blocked call shows its reason', async () => {
    const phoneNumber = nextNumber();
    await calling.accepted(caller, { phoneNumber });
    await calling.trigger(caller, { phoneNumber }).expect(500);
    const blocked = (await calling.rows(caller.teamId)).find(({ status }) => status === 'blocked');
    expect(await read(blocked?.id ?? '')).toMatchObject({ status: 'blocked', reason: 'ALREADY_SCHEDULED' });
  });
});

describe.each(['read', 'cancel'] as const)('%s', (action) => {
  const act = (who: { apiKey: string }, id: string) =>
    action === 'read' ? calling.get(who, id) : calling.cancel(who, id);

  test('404 for an unknown, a malformed and another team’s call: the answers do not differ', async () => {
    const other = await buildCaller(calling.db);
    const theirs = await calling.accepted(other, { phoneNumber: nextNumber() });
    for (const id of [randomUUID(), 'mine', '%00', `${theirs}0`, theirs]) {
      const answer = await act(caller, id);
      expect([answer.status, answer.body]).toEqual([404, { error: 'Call not found' }]);
    }
    expect(await calling.row(theirs)).toMatchObject({ status: 'queued' });
  });

  test('401 without a key or with a wrong one, before anything else', async () => {
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    for (const apiKey of ['', 'unknown', calling.world.config.operatorToken]) {
      for (const target of [id, 'malformed']) {
        const answer = await act({ apiKey }, target);
        expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key' }]);
      }
    }
    expect(await calling.row(id)).toMatchObject({ status: 'queued' });
  });

  test('ids are accepted in capitals', async () => {
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const answer = await act(caller, id.toUpperCase());
    expect([answer.status, (answer.body as { callRequestId: string }).callRequestId]).toEqual([200, id]);
  });
});

describe('POST /api/calls/{callRequestId}/cancel', () => {
  test.each(['queued', 'scheduled'])('ends a %s call, and answers with it', async (status) => {
    const agent = status === 'queued' ? {} : hoursOpeningIn(3);
    const own = await buildCaller(calling.db, {}, agent);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(own, { phoneNumber });
    const answer = await calling.cancel(own, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      callRequestId: id,
      contactId: (await calling.row(id)).contact_id,
      externalId: null,
      agentId: own.agentId,
      enrollmentId: null,
      campaignId: null,
      acceptedAt: INSTANT,
      status: 'canceled',
      reason: null,
      runsAt: INSTANT,
      expiresAt: INSTANT,
      notBefore: null,
      notAfter: null,
      phoneNumber,
      answeredAt: null,
      endedAt: INSTANT,
      durationSeconds: null,
      callerId: null,
      prompt: null,
      firstMessage: null,
      unknownPlaceholders: [],
      result: null,
      history: [
        { at: INSTANT, from: null, to: status, cause: 'triggered' },
        { at: INSTANT, from: status, to: 'canceled', cause: 'canceled' },
      ],
    });
    expect((await calling.get(own, id)).body).toEqual(answer.body);
    expect((await calling.row(id)).ended_at).not.toBeNull();
    expect(await calling.queue.getJob(`call-${id}-0`)).toBeUndefined();
    // The number is free again.
    await calling.accepted(own, { phoneNumber });
  });

  test('the body of the request is ignored', async () => {
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const headers = { Authorization: `Bearer ${caller.apiKey}` };
    const answer = await postRaw(calling.api, `/api/calls/${id}/cancel`, 'no JSON', headers);
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled' } });
  });

  test('409 if the call is not pending any more; nothing changes', async () => {
    const dialed = await calling.accepted(caller, { phoneNumber: nextNumber() });
    await worker.fire(dialed);
    await calling.until(caller, dialed, 'completed');
    const canceled = await calling.accepted(caller, { phoneNumber: nextNumber() });
    await calling.cancel(caller, canceled).expect(200);
    for (const [id, status] of [
      [dialed, 'completed'],
      [canceled, 'canceled'],
    ] as const) {
      const before = await calling.row(id);
      const answer = await calling.cancel(caller, id);
      expect([answer.status, answer.body]).toEqual([
        409,
        { error: `The call is ${status} and can no longer be canceled` },
      ]);
      expect(await calling.row(id)).toEqual(before);
    }
  });

  test('in parallel with its firing: either canceled and never dialed, or 409 and dialed', async () => {
    const outcomes = { canceled: 0, dialed: 0 };
    const race = async (order: number) => {
      const phoneNumber = nextNumber();
      const id = await calling.accepted(caller, { phoneNumber });
      const fire = () => worker.fire(id);
      const cancel = async (): Promise<Response> => calling.cancel(caller, id);
      const [fired, answer] =
        order % 2 === 0
          ? await Promise.all([fire(), cancel()])
          : await Promise.all([cancel(), fire()]).then(([canceled, done]) => [done, canceled] as const);
      const { status } = await calling.row(id);
      const dials = calling.dials(phoneNumber).length;
      if (answer.status === 200) {
        expect([status, dials, fired]).toEqual(['canceled', 0, { kind: 'ignored', why: 'not_pending' }]);
        outcomes.canceled += 1;
      } else {
        expect([answer.status, dials, fired]).toEqual([409, 1, { kind: 'claimed' }]);
        expect(status).not.toBe('canceled');
        outcomes.dialed += 1;
      }
    };
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 8 }, (_, order) => race(order)));
    }
    expect(outcomes.canceled + outcomes.dialed).toBe(40);
  });

  test('ten times in parallel: once', async () => {
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const answers = await Promise.all(Array.from({ length: 10 }, () => calling.cancel(caller, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect((await calling.row(id)).history).toHaveLength(2);
  });
});
