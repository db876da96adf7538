import { hashOfAllRows } from '../support/all-rows.js';
import { buildContact, insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { stopClock } from '../support/clock.js';
import { playExplanations, STOPPED_AT } from './support/explain-plays.js';

const calling = Calling.ofFile({ erasureKey: 'erasure-key-of-the-tests' });

/** A body of any shape. */
interface Answer {
  status: number;
  body: unknown;
}

const explain = ({ agentId, apiKey }: Pick<Caller, 'agentId' | 'apiKey'>, body: object | string) =>
  calling
    .http()
    .post(`/api/voice-agents/${agentId}/calls/explain`)
    .set(bearer(apiKey))
    .type('json')
    .send(body);

/** What a request is told, whatever that is: it stores nothing. */
async function told(caller: Pick<Caller, 'agentId' | 'apiKey'>, asked: object): Promise<Answer> {
  const before = await hashOfAllRows(calling.db);
  const answer = await explain(caller, asked);
  expect(await hashOfAllRows(calling.db)).toBe(before);
  return { status: answer.status, body: answer.body as unknown };
}

test('a call that would be queued: all of it, and nothing is stored', async () => {
  const caller = await buildCaller(
    calling.db,
    {},
    { prompt_template: '{{contact.name}} of {{contact.companyName}}: {{topic}} {{gone}}', timezone: 'UTC' },
  );
  const phoneNumber = nextNumber();
  await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber, company_name: 'Engines' });
  const before = await hashOfAllRows(calling.db);
  const answer = await explain(caller, { phoneNumber, name: 'Ada', topic: 'price' });
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      wouldBe: 'queued',
      status: 200,
      reason: null,
      message: null,
      runsAt: null,
      zones: ['UTC'],
      zoneSource: 'agent',
      callerId: { source: 'agent_number', candidates: [caller.callerNumber] },
      rules: expect.arrayContaining([
        { reason: 'DO_NOT_CALL', allow: true, evidence: expect.any(Object) as object },
      ]) as object,
      firstAllowedAt: expect.any(String) as string,
      prompt: 'Ada of Engines: price ',
      firstMessage: '',
      unknownPlaceholders: ['gone'],
      warnings: [{ key: 'promptTemplate', text: expect.stringContaining('{{gone}}') as string }],
    },
  ]);
  expect((answer.body as { rules: object[] }).rules).toHaveLength(10);
  expect(await hashOfAllRows(calling.db)).toBe(before);
  expect(await calling.queue.count()).toBe(0);
});

test('a call that would be scheduled names its opening, and has its guardrails evaluated nevertheless', async () => {
  const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
  const phoneNumber = nextNumber();
  await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number: phoneNumber });
  const { body } = await told(caller, { phoneNumber, timezone: 'UTC' });
  expect(body).toMatchObject({
    wouldBe: 'scheduled',
    status: 200,
    zoneSource: 'request',
    firstAllowedAt: null,
  });
  const rules = (body as { rules: { reason: string; allow: boolean }[] }).rules;
  expect(rules.filter(({ allow }) => !allow).map(({ reason }) => reason)).toEqual(['DO_NOT_CALL']);
  const triggered = await calling.trigger(caller, { phoneNumber, timezone: 'UTC' });
  expect((triggered.body as { runsAt: string }).runsAt).toBe((body as { runsAt: string }).runsAt);
});

test('a guardrail that refuses is part of the answer, with the instant at which it no longer does', async () => {
  const caller = await buildCaller(calling.db, { number_daily_limit: 1 });
  const contact = await buildContact(calling.db, caller.teamId);
  const called = new Date(Date.now() - 3_600_000);
  await calling.db.query(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, accepted_at, runs_at, expires_at, woken_at,
       claimed_at, processed_at, caller_id, ended_at, history)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, 'completed', $5, $5, $5, $5, $5, $5, $6, $5, '[]')`,
    [caller.teamId, caller.agentId, contact.id, contact.phone_number, called, caller.callerNumber],
  );
  const { status, body } = await told(caller, { phoneNumber: contact.phone_number });
  expect([status, body]).toMatchObject([
    200,
    { wouldBe: 'refused', status: 429, reason: 'NUMBER_LIMIT_DAILY', message: expect.any(String) as string },
  ]);
  const { firstAllowedAt } = body as { firstAllowedAt: string };
  expect(Date.parse(firstAllowedAt) - called.getTime()).toBe(86_400_000);
});

test('key, agent, body and caller ID are refused as the trigger refuses them', async () => {
  const caller = await buildCaller(calling.db);
  const other = await buildCaller(calling.db);
  const silent = await buildCaller(calling.db, {}, { outbound_phone_number: null });
  const phoneNumber = nextNumber();
  const cases: [Pick<Caller, 'agentId' | 'apiKey'>, object | string][] = [
    [{ ...caller, apiKey: 'wrong' }, { phoneNumber }],
    [{ ...caller, agentId: 'x' }, { phoneNumber }],
    [{ ...caller, agentId: other.agentId }, { phoneNumber }],
    [caller, '{'],
    [caller, {}],
    [caller, { phoneNumber, email: 'x' }],
    [caller, { phoneNumber, teamId: other.teamId }],
    [caller, { phoneNumber, fromPhoneNumber: '+14155550000' }],
    [caller, { phoneNumber, numberPoolId: other.teamId }],
    [silent, { phoneNumber }],
  ];
  for (const [by, body] of cases) {
    const [said, done] = [await explain(by, body), await calling.trigger(by, body as object).type('json')];
    expect([said.status, said.body]).toEqual([done.status, done.body]);
    expect(said.status).toBeGreaterThanOrEqual(400);
  }
});

test('the history under an erased number counts', async () => {
  const caller = await buildCaller(calling.db);
  const { id, phone_number: phoneNumber } = await buildContact(calling.db, caller.teamId);
  await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number: phoneNumber });
  await calling.http().delete(`/api/contacts/${id}`).set(bearer(caller.apiKey)).expect(204);
  const { body } = await told(caller, { phoneNumber });
  expect(body).toMatchObject({ wouldBe: 'refused', reason: 'DO_NOT_CALL' });
});

test('it is answered while the locks of the number and the team are held', async () => {
  const caller = await buildCaller(calling.db, { monthly_call_limit: 1 });
  const phoneNumber = nextNumber();
  const runner = calling.db.createQueryRunner();
  await runner.startTransaction();
  await runner.query(
    'SELECT pg_advisory_xact_lock(number_lock_key($1, $2)), pg_advisory_xact_lock(team_lock_key($1))',
    [caller.teamId, phoneNumber],
  );
  const { body } = await told(caller, { phoneNumber });
  await runner.rollbackTransaction();
  await runner.release();
  expect(body).toMatchObject({ wouldBe: 'queued' });
});

describe('on a stopped clock', () => {
  beforeAll(async () => {
    await stopClock(calling.db, STOPPED_AT);
  });

  test('what 500 random requests are told is what the trigger then does', async () => {
    const seed = Number(process.env.SEED ?? 20261122);
    const { disagreements, outcomes } = await playExplanations(calling, { seed, teams: 25, requests: 20 });
    expect(disagreements.slice(0, 3)).toEqual([]);
    // Every kind of answer came.
    for (const outcome of [
      'queued',
      'scheduled',
      'refused',
      'DO_NOT_CALL',
      'RECENTLY_CALLED',
      'ALREADY_SCHEDULED',
    ])
      expect([outcome, outcomes.get(outcome) ?? 0]).not.toEqual([outcome, 0]);
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(500);
  });
});
