import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response } from 'supertest';
import { createApi } from '../../src/api.js';
import { WorkerModule } from '../../src/worker.module.js';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildCampaign, buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { CapturedLog, type Line } from './log-lines.js';

const METRICS_TOKEN = 'token-of-the-scraper';
const NUMBER = '+14155552671';
const OTHER_NUMBER = '+442079460958';

/** A body with something in every field that no log may show. */
const PERSONAL = {
  phoneNumber: NUMBER,
  phoneNumbers: [NUMBER, OTHER_NUMBER],
  fullName: 'Ada Byron Lovelace',
  name: 'Ada Byron Lovelace',
  email: 'ada.lovelace@example.com',
  companyName: 'Analytical Engines',
  companyWebsite: 'https://engines.example.com',
  timezone: 'UTC',
  promptTemplate: 'Whisper the countersign',
  note: { secret: 'Whisper the countersign' },
};
const PARTS_OF_PERSONAL = ['Lovelace', 'ada.lovelace', 'Analytical', 'engines.example', 'countersign'];
const FORBIDDEN = [
  ...[NUMBER, OTHER_NUMBER].flatMap((number) => [number.slice(1), number.slice(2)]),
  ...PARTS_OF_PERSONAL,
  OPERATOR_TOKEN,
  METRICS_TOKEN,
];

const log = new CapturedLog();
let world: World;
let redisProxy: TcpProxy;
let postgresProxy: TcpProxy;
let api: NestExpressApplication;
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  redisProxy = await startTcpProxy(testRedisUrl());
  world = await createWorld({
    redisUrl: redisProxy.url,
    metricsToken: METRICS_TOKEN,
    // Long enough that a wake-up comes before the sweeper's, which has no request id.
    sweeperGraceMs: 3_000,
  });
  postgresProxy = await startTcpProxy(world.config.databaseUrl);
  world.config.databaseUrl = postgresProxy.url;
  worker = await NestFactory.createApplicationContext(WorkerModule.forRoot(world.config), {
    logger: log.logger,
  });
  api = await createApi(world.config, log.logger);
  await api.listen(0, '127.0.0.1');
  caller = await buildCaller(world.db);
});
afterAll(async () => {
  await api.close();
  await worker.close();
  await world.close();
  await redisProxy.close();
  await postgresProxy.close();
});
// After every test, so that the failing one is known: all that was written until then.
afterEach(() => {
  const forbidden = [...FORBIDDEN, caller.apiKey];
  const isPersonal = (text: string) =>
    forbidden.some((secret) => text.includes(secret)) ||
    /\+[1-9]\d{6}|od_live_\w|authorization|[a-z]@[a-z]/i.test(text);
  expect(log.lines.map((line) => JSON.stringify(line)).filter(isPersonal)).toEqual([]);
});

const http = () => supertest(api.getHttpServer());
type Method = 'get' | 'post' | 'patch' | 'delete';

function trigger(body: object = PERSONAL) {
  return http().post(`/api/voice-agents/${caller.agentId}/calls`).set(bearer(caller.apiKey)).send(body);
}

/** The line of a request; it is written when the answer has left. */
function lineOf(answer: Response) {
  return eventually(
    () => Promise.resolve(log.of('Http').find((line) => line.requestId === answer.headers['x-request-id'])),
    (line) => line !== undefined,
  );
}

/** The log lines of the worker about a call, once it has fired it. */
function dialLineOf({ callRequestId }: { callRequestId: string }) {
  const fired = () => log.of('DialProcessor').find((line) => line.callRequestId === callRequestId);
  return eventually(
    () => Promise.resolve(fired()),
    (line) => line !== undefined,
  );
}

/** Every route of the API, from Express itself: a new one cannot be forgotten. */
function routes(): { method: Method; path: string }[] {
  const { router } = api.getHttpAdapter().getInstance() as {
    router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
  };
  return router.stack.flatMap(({ route }) =>
    Object.keys(route?.methods ?? {})
      .filter((method): method is Method => ['get', 'post', 'patch', 'delete'].includes(method))
      .map((method) => ({ method, path: route?.path ?? '' })),
  );
}

test('logs contain no personal data for any route, credential and body', async () => {
  // A team of its own, because the requests delete its agent.
  const caller = await buildCaller(world.db);
  const contact = await buildContact(world.db, caller.teamId, { name: 'Ada Byron Lovelace' });
  const campaign = await buildCampaign(world.db, caller.teamId);
  const body = { ...PERSONAL, contactId: contact.id, campaignId: campaign.id };
  const ids: Record<string, string> = {
    teamId: caller.teamId,
    contactId: contact.id,
    campaignId: campaign.id,
    phoneNumber: NUMBER,
  };
  const all = routes().filter(({ path }) => typeof path === 'string');
  expect(all.length).toBeGreaterThan(40);
  for (const { method, path } of all) {
    const known = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? caller.agentId);
    const poisoned = path.replace(/:\w+/g, encodeURIComponent(`${NUMBER} Ada Byron Lovelace`));
    for (const token of [OPERATOR_TOKEN, caller.apiKey, METRICS_TOKEN, 'od_live_unknown0123456789']) {
      const answer = await http()[method](known).set(bearer(token)).query({ phoneNumber: NUMBER }).send(body);
      const line = await lineOf(answer);
      expect(line).toMatchObject({ method: method.toUpperCase(), route: path, status: answer.status });
    }
    const [first, second] = [http()[method](poisoned), http()[method](known)];
    await first.set(bearer(OPERATOR_TOKEN)).send({ [NUMBER]: PERSONAL.email });
    await second
      .set({ ...bearer(OPERATOR_TOKEN), 'content-type': 'application/json' })
      .send(`{"phoneNumber": "${NUMBER}", oops`);
  }
  // One of the routes stops all teams.
  await http().post('/api/admin/resume').set(bearer(OPERATOR_TOKEN)).expect(201);
});

test('a request’s line has route pattern, status, client and duration', async () => {
  const id = 'from-the-crm-17';
  const answer = await trigger({ ...PERSONAL, phoneNumber: '+14155550001' }).set('X-Request-Id', id);
  expect([answer.status, answer.headers['x-request-id']]).toEqual([200, id]);
  expect(await lineOf(answer)).toEqual({
    level: 'info',
    time: expect.any(String) as string,
    process: 'api',
    context: 'Http',
    msg: 'request',
    method: 'POST',
    route: '/api/voice-agents/:agentId/calls',
    status: 200,
    durationMs: expect.any(Number) as number,
    clientAddress: '127.0.0.1',
    requestId: id,
    teamId: caller.teamId,
  });
});

test('the lines of a team’s other requests name the team', async () => {
  const as = bearer(caller.apiKey);
  for (const sent of [
    http().post('/api/contacts').set(as).send({ phoneNumber: '+14155550004' }),
    http().post('/api/campaigns/contact-enrollments').set(as).send({ phoneNumber: '+14155550004' }),
    http().get('/api/campaigns/enrollments?contactId=00000000-0000-4000-8000-000000000000').set(as),
  ]) {
    const answer = await sent;
    expect(answer.status).toBeLessThan(300);
    expect(await lineOf(answer)).toMatchObject({ teamId: caller.teamId });
  }
});

test('the request’s id is in the worker’s line of the call', async () => {
  const answer = await trigger({ phoneNumber: '+14155550002' }).set('X-Request-Id', 'from-the-crm-18');
  const line = await dialLineOf(answer.body as { callRequestId: string });
  expect(line).toMatchObject({ level: 'info', msg: 'dial', result: 'claimed', requestId: 'from-the-crm-18' });
});

test('an unprintable id is replaced', async () => {
  for (const id of [NUMBER, PERSONAL.email, 'od_live_0123', 'x'.repeat(500)]) {
    const answer = await http().get('/api/nowhere').set('X-Request-Id', id);
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    expect(await lineOf(answer)).toMatchObject({ route: 'unmatched', status: 404 });
  }
});

test('probes are logged at the level debug only', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    const answer = await http().get(path).set(bearer(METRICS_TOKEN));
    expect([answer.status, (await lineOf(answer))?.level]).toEqual([200, 'debug']);
  }
});

test('values that Postgres quotes are not logged by either process', async () => {
  await world.db.query(
    `ALTER TABLE contacts ADD CONSTRAINT ck_surprise CHECK (phone_number <> '${NUMBER}') NOT VALID`,
  );
  const contact = await http().post('/api/contacts').set(bearer(caller.apiKey)).send(PERSONAL);
  // What changes nothing of a contact that is there is not written.
  const call = await trigger({ ...PERSONAL, email: 'countess.ada.lovelace@example.com' });
  await world.db.query('ALTER TABLE contacts DROP CONSTRAINT ck_surprise');
  for (const { status, headers } of [contact, call]) {
    expect(status).toBe(500);
    const id = headers['x-request-id'] as string;
    const errors = log.lines.filter(({ level, requestId }) => level === 'error' && requestId === id);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.msg).toContain('23514 ck_surprise');
  }

  await world.db.query(
    `CREATE FUNCTION surprise() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no % for %', NEW.phone_number, 'Ada Byron Lovelace'; END $$;
     CREATE TRIGGER surprise BEFORE UPDATE ON call_requests FOR EACH ROW WHEN (NEW.status = 'dialing')
       EXECUTE FUNCTION surprise()`,
  );
  const accepted = await trigger({ ...PERSONAL, phoneNumber: OTHER_NUMBER });
  const { callRequestId } = accepted.body as { callRequestId: string };
  const isItsError = (line: Line) => line.level === 'error' && line.callRequestId === callRequestId;
  const failed = await eventually(
    () => Promise.resolve(log.lines.find(isItsError)),
    (line) => line !== undefined,
  );
  await world.db.query('DROP TRIGGER surprise ON call_requests');
  expect(failed?.msg).toMatch(/job failed: \w+ P0001/);
});

test('lost servers are logged without the credentials of their addresses', async () => {
  await redisProxy.cut();
  const accepted = await trigger({ ...PERSONAL, phoneNumber: '+14155550003' });
  expect(accepted.status).toBe(200);
  await redisProxy.restore();
  await postgresProxy.cut();
  expect((await trigger()).status).toBe(500);
  expect((await http().post('/api/contacts').set(bearer(caller.apiKey)).send(PERSONAL)).status).toBe(503);
  await postgresProxy.restore();
  // Both have found back when the call is dialed after all.
  await dialLineOf(accepted.body as { callRequestId: string });
  const { password, username } = new URL(world.config.databaseUrl);
  expect(log.text).not.toContain(`${username}:${password}@`);
  expect(log.lines.some(({ level }) => level === 'warn')).toBe(true);
});
