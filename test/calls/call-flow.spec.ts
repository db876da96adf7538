import { type NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';

let world: World;
let api: NestExpressApplication;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
  await world.startWorker();
});
afterAll(() => world.close());
beforeEach(() => moveClock(world.db, '0'));

function trigger(caller: Caller, body: object) {
  return request(api.getHttpServer())
    .post(`/api/voice-agents/${caller.agentId}/calls`)
    .set('Authorization', `Bearer ${caller.apiKey}`)
    .send(body);
}

async function statusOf(caller: Caller, callRequestId: string): Promise<Record<string, unknown>> {
  const answer = await request(api.getHttpServer())
    .get(`/api/calls/${callRequestId}`)
    .set('Authorization', `Bearer ${caller.apiKey}`)
    .expect(200);
  return answer.body as Record<string, unknown>;
}

test('a call inside calling hours is dialed and completed', async () => {
  const caller = await buildCaller(
    world.db,
    {},
    { prompt_template: 'Call {{contact.name}} about {{topic}}{{gone}}' },
  );
  const phoneNumber = nextNumber();
  const answer = await trigger(caller, { phoneNumber, name: 'Ada', topic: 'engines' });
  expect(answer.body).toEqual({ success: true, callRequestId: expect.any(String) as string });
  expect(answer.status).toBe(200);
  const { callRequestId } = answer.body as { callRequestId: string };
  const call = await eventually(
    () => statusOf(caller, callRequestId),
    (found) => found.status === 'completed',
  );
  expect(call).toMatchObject({
    phoneNumber,
    callerId: caller.callerNumber,
    prompt: 'Call Ada about engines',
    unknownPlaceholders: ['gone'],
  });
  expect((call.history as { to: string }[]).map(({ to }) => to)).toEqual([
    'queued',
    'dialing',
    'in_progress',
    'completed',
  ]);
});

test('of two calls scheduled for one number the older is dialed at the slot, the other ends blocked', async () => {
  const caller = await buildCaller(world.db, {}, hoursOpeningIn(3));
  const phoneNumber = nextNumber();
  const answers = [await trigger(caller, { phoneNumber }), await trigger(caller, { phoneNumber })];
  for (const { body } of answers) expect(body).toMatchObject({ success: true, rescheduled: true });
  const [older, newer] = answers.map(({ body }) => (body as { callRequestId: string }).callRequestId) as [
    string,
    string,
  ];
  await moveClock(world.db, '3 hours');
  const dialed = await eventually(
    () => statusOf(caller, older),
    (call) => call.status === 'completed',
  );
  expect(dialed.callerId).toBe(caller.callerNumber);
  const blocked = await eventually(
    () => statusOf(caller, newer),
    (call) => call.status === 'blocked',
  );
  expect(['ALREADY_SCHEDULED', 'RECENTLY_CALLED']).toContain(blocked.reason);
});

test('50 parallel triggers for one number: exactly one 200', async () => {
  const caller = await buildCaller(world.db);
  const phoneNumber = nextNumber();
  const answers = await Promise.all(Array.from({ length: 50 }, () => trigger(caller, { phoneNumber })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  for (const { body, status } of answers) {
    if (status !== 200)
      expect(['ALREADY_SCHEDULED', 'RECENTLY_CALLED']).toContain((body as { reason: string }).reason);
  }
});

test('60 parallel triggers against a monthly limit of 5: exactly five', async () => {
  const caller = await buildCaller(world.db, { monthly_call_limit: 5 });
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => trigger(caller, { phoneNumber: nextNumber() })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(55);
});
