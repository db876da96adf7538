import { type NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { whileInFlight } from '../support/keys-in-flight.js';

let world: World;
let api: NestExpressApplication;
let caller: Caller;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
});
afterAll(() => world.close());
beforeEach(async () => {
  await moveClock(world.db, '0');
  caller = await buildCaller(world.db);
});

function trigger(key: string, body: object, by: Caller = caller) {
  return request(api.getHttpServer())
    .post(`/api/voice-agents/${by.agentId}/calls`)
    .set('Authorization', `Bearer ${by.apiKey}`)
    .set('Idempotency-Key', key)
    .send(body);
}

async function callsOf(teamId: string): Promise<number> {
  const rows = await world.db.query<{ n: number }[]>(
    'SELECT count(*)::integer AS n FROM call_requests WHERE team_id = $1',
    [teamId],
  );
  return rows[0]?.n ?? 0;
}

test('a repeated request gets the first answer, marked as replayed', async () => {
  const body = { phoneNumber: nextNumber(), topic: 'renewal' };
  const first = await trigger('order-1', body);
  const second = await trigger('order-1', body);
  expect(first.status).toBe(200);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  expect(second.status).toBe(200);
  expect(second.text).toBe(first.text);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect(await callsOf(caller.teamId)).toBe(1);
});

test('the answer names the stored contact, also if another request created it meanwhile', async () => {
  const phoneNumber = nextNumber();
  const runner = world.db.createQueryRunner();
  await runner.startTransaction();
  const [{ id, pid }] = (await runner.query(
    'INSERT INTO contacts (team_id, phone_number) VALUES ($1, $2) RETURNING id, pg_backend_pid() AS pid',
    [caller.teamId, phoneNumber],
  )) as [{ id: string; pid: number }];
  const waiting = trigger('contact', { phoneNumber }).then((answer) => answer);
  // The request does not see the other's contact, and waits to create its own.
  await eventually(
    () =>
      world.db.query<unknown[]>('SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [pid]),
    (blocked) => blocked.length > 0,
  );
  await runner.commitTransaction();
  await runner.release();
  const first = await waiting;
  expect([first.status, first.body]).toEqual([200, expect.objectContaining({ contactId: id })]);
  const second = await trigger('contact', { phoneNumber });
  expect([second.headers['idempotency-replayed'], second.text]).toEqual(['true', first.text]);
});

test('a rescheduled answer is replayed with its opening', async () => {
  const later = await buildCaller(world.db, {}, hoursOpeningIn(3));
  const body = { phoneNumber: nextNumber() };
  const first = await trigger('opening', body, later);
  expect(first.body).toMatchObject({ rescheduled: true });
  expect((await trigger('opening', body, later)).body).toEqual(first.body);
});

test('a quoted key, as in the draft, equals an unquoted one', async () => {
  const body = { phoneNumber: nextNumber() };
  const first = await trigger('"order-2"', body);
  expect((await trigger('order-2', body)).body).toEqual(first.body);
});

test('a refusal by a guardrail is replayed', async () => {
  const phoneNumber = nextNumber();
  await world.db.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [
    caller.teamId,
    phoneNumber,
  ]);
  const first = await trigger('refused', { phoneNumber });
  expect(first.body).toMatchObject({ success: false, reason: 'DO_NOT_CALL' });
  await world.db.query('DELETE FROM do_not_call WHERE team_id = $1', [caller.teamId]);
  const second = await trigger('refused', { phoneNumber });
  expect(second.status).toBe(500);
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotency-replayed']).toBe('true');
});

test('another body with the same key is 422, and stores nothing', async () => {
  await trigger('order-3', { phoneNumber: nextNumber() });
  const other = await trigger('order-3', { phoneNumber: nextNumber() });
  expect(other.status).toBe(422);
  expect(other.body).toMatchObject({
    message: expect.any(String) as string,
    reason: 'IDEMPOTENCY_KEY_REUSED',
  });
  expect(await callsOf(caller.teamId)).toBe(1);
});

test('the same body for another agent is another request', async () => {
  const body = { phoneNumber: nextNumber() };
  await trigger('order-4', body);
  const [agent] = await world.db.query<{ id: string }[]>(
    `INSERT INTO voice_agents (team_id, name, timezone, outbound_phone_number) VALUES ($1, 'Two', 'UTC', $2) RETURNING id`,
    [caller.teamId, caller.callerNumber],
  );
  const other = await trigger('order-4', body, { ...caller, agentId: agent?.id ?? '' });
  expect(other.status).toBe(422);
});

test('30 parallel requests with one key store one call; each gets the first answer or 409', async () => {
  const body = { phoneNumber: nextNumber() };
  const answers = await Promise.all(Array.from({ length: 30 }, () => trigger('burst', body)));
  expect(await callsOf(caller.teamId)).toBe(1);
  const answered = answers.filter(({ status }) => status === 200);
  expect(answered.length).toBeGreaterThan(0);
  expect(
    new Set(answered.map((answer) => (answer.body as { callRequestId: string }).callRequestId)).size,
  ).toBe(1);
  for (const answer of answers) {
    if (answer.status !== 200) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ reason: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    }
  }
});

test('other refusals are not stored: a corrected request succeeds', async () => {
  const phoneNumber = nextNumber();
  await world.db.query('UPDATE voice_agents SET outbound_phone_number = NULL WHERE id = $1', [
    caller.agentId,
  ]);
  expect((await trigger('mended', { phoneNumber })).body).toMatchObject({ reason: 'NO_CALLER_ID' });
  await world.db.query('UPDATE voice_agents SET outbound_phone_number = $2 WHERE id = $1', [
    caller.agentId,
    caller.callerNumber,
  ]);
  expect((await trigger('mended', { phoneNumber })).status).toBe(200);
});

test('a wrong API key is refused before the stored answer is read', async () => {
  const body = { phoneNumber: nextNumber() };
  await trigger('secret', body);
  const answer = await trigger('secret', body, { ...caller, apiKey: 'od_test_wrong' });
  expect(answer.body).toMatchObject({ reason: 'INVALID_API_KEY' });
});

test('another team’s `teamId` is 400, also with a stored key or an active request', async () => {
  const { teamId } = await buildCaller(world.db);
  const body = { phoneNumber: nextNumber() };
  await trigger('foreign', body);
  const refusal = {
    message: 'teamId must be the team of the API key',
    reason: 'INVALID_REQUEST',
    retryable: false,
  };
  const reused = await trigger('foreign', { ...body, teamId });
  expect([reused.status, reused.body]).toEqual([400, refusal]);
  await whileInFlight(world.db, caller.teamId, 'slow', async () => {
    const inFlight = await trigger('slow', { phoneNumber: nextNumber(), teamId });
    expect([inFlight.status, inFlight.body]).toEqual([400, refusal]);
  });
});

test('each team has its own keys', async () => {
  const body = { phoneNumber: nextNumber() };
  const first = await trigger('shared', body);
  const other = await trigger('shared', body, await buildCaller(world.db));
  expect(other.status).toBe(200);
  expect(other.body).not.toEqual(first.body);
});

test('after 24 hours a key can be used again', async () => {
  const body = { phoneNumber: nextNumber() };
  const first = await trigger('daily', body);
  await moveClock(world.db, '23 hours 59 minutes');
  expect((await trigger('daily', body)).body).toEqual(first.body);
  await moveClock(world.db, '24 hours 1 minute');
  const next = await trigger('daily', body);
  expect(next.headers['idempotency-replayed']).toBeUndefined();
});

test.each(['""', 'x'.repeat(256), '"open', 'tab\there'])(
  'the key %j is 400, naming the header',
  async (key) => {
    const answer = await trigger(key, { phoneNumber: nextNumber() });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message: expect.stringContaining('Idempotency-Key') as string });
  },
);
