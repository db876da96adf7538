import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { type Configuration } from '../../src/configuration.js';
import { MAX_BODY_BYTES } from '../../src/http/request-body.js';
import { CallQueue } from '../../src/queue/call-queue.js';
import { createWorld } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { basic, OperationsClient, PAGES_LOGIN } from './operations-client.js';

interface ShownJob {
  id: string;
  name: string;
  data: unknown;
  returnValue: unknown;
  externalUrl: { displayText: string; href: string };
}

const QUEUES = '/admin/queues/api/queues?activeQueue=calls&status=latest&page=1&jobsPerPage=10';

const visit = (app: NestExpressApplication, method: 'get' | 'put' | 'post' | 'patch', path: string) =>
  supertest(app.getHttpServer())[method](path).set(basic());

async function jobsOf(app: NestExpressApplication): Promise<ShownJob[]> {
  const answer = await visit(app, 'get', QUEUES).expect(200);
  return (answer.body as { queues: { jobs: ShownJob[] }[] }).queues[0]?.jobs ?? [];
}

async function withCalling(
  overrides: Partial<Configuration>,
  work: (calling: Calling, caller: Caller, scheduled: string) => Promise<void>,
): Promise<void> {
  const calling = await Calling.start({ ...PAGES_LOGIN, ...overrides });
  try {
    const caller = await buildCaller(calling.db, { name: 'Clinics' }, hoursOpeningIn(3));
    const call = { phoneNumber: nextNumber(), name: 'Ada Lovelace', company: 'Engines' };
    const answer = await calling.trigger(caller, call).set('X-Request-Id', 'for-ada-lovelace').expect(200);
    await work(calling, caller, (answer.body as { callRequestId: string }).callRequestId);
  } finally {
    await calling.close();
  }
}

test('jobs have readable names, link to the record of their call, and show no personal data', async () => {
  await withCalling({}, async (calling, caller, id) => {
    const { runs_at: runsAt } = await calling.row(id);
    await calling.queue.add('dial', { callRequestId: id, generation: 2 }, { jobId: `call-${id}-2` });
    const jobs = await jobsOf(calling.api);
    const [delayed] = jobs.filter((job) => job.id === `call-${id}-0`);
    const [again] = jobs.filter((job) => job.id === `call-${id}-2`);
    const due = runsAt.toISOString().slice(0, 16).replace('T', ' ');
    expect(delayed).toMatchObject({
      name: `Dial call ${id.slice(0, 8)} · due ${due} UTC`,
      data: { callRequestId: id, generation: 0 },
      externalUrl: { displayText: 'The call’s record', href: `/platform/calls/${id}` },
    });
    expect(again?.name).toBe(`Dial call ${id.slice(0, 8)} · wake-up 3`);
    for (const path of [QUEUES, `/admin/queues/api/queues/calls/call-${id}-0`, '/admin/queues'])
      expect((await visit(calling.api, 'get', path).expect(200)).text).not.toMatch(
        /\+?1?415555|ada|Engines|Clinics/i,
      );
    const pages = await OperationsClient.signedIn(calling.api);
    const record = await pages.page(`/t/${caller.teamId}/calls/${id}`);
    expect(record).toContain(`href="/admin/queues/queue/calls/call-${id}-0"`);
    await visit(calling.api, 'get', `/admin/queues/queue/calls/call-${id}-0`).expect(200);
  });
});

test('the board is read-only by default', async () => {
  await withCalling({}, async (calling, _caller, id) => {
    const job = `/admin/queues/api/queues/calls/call-${id}-0`;
    for (const path of [
      `${job}/promote`,
      `${job}/clean`,
      '/admin/queues/api/queues/calls/pause',
      '/admin/queues/api/queues/calls/obliterate',
      '/admin/queues/api/queues/calls/clean/delayed',
    ])
      await visit(calling.api, 'put', path).expect(405);
    await visit(calling.api, 'post', '/admin/queues/api/queues/calls/add').send({ name: 'dial' }).expect(405);
    await visit(calling.api, 'put', '/admin/queues/api/queues/pause');
    expect(await calling.queue.isPaused()).toBe(false);
    expect(await calling.queue.getJob(`call-${id}-0`)).toMatchObject({ data: { callRequestId: id } });
  });
});

test('only configured carriers with a limit have a queue of their own', async () => {
  const names = async (overrides: Partial<Configuration>) => {
    const world = await createWorld({ ...PAGES_LOGIN, ...overrides });
    try {
      const answer = await visit(await world.startApi(), 'get', QUEUES).expect(200);
      return (answer.body as { queues: { name: string }[] }).queues.map(({ name }) => name);
    } finally {
      await world.close();
    }
  };
  // A queue of a carrier that is not configured has no workers, which the board shows as a fault.
  expect(await names({})).toEqual(['calls']);
  expect(await names({ simulatorCallsPerSecond: 5 })).toEqual(['calls', 'calls-simulator']);
  const twilio = {
    twilioAccountSid: `AC${'0'.repeat(32)}`,
    twilioAuthToken: 'the-token-of-this-test',
    publicUrl: 'https://calls.example.com',
  };
  expect(await names(twilio)).toEqual(['calls', 'calls-twilio']);
});

test('a writable board accepts changes from its own pages only, with their bodies', async () => {
  await withCalling({ bullBoardReadOnly: false }, async (calling, _caller, id) => {
    const change = () => visit(calling.api, 'patch', `/admin/queues/api/queues/calls/call-${id}-0/delay`);
    const soon = { runAt: Date.now() + 60_000 };
    await change().set('Origin', 'https://evil.example').send(soon).expect(403);
    await change().set('Sec-Fetch-Site', 'cross-site').send(soon).expect(403);
    await change().type('json').send('{').expect(400);
    const large = { runAt: 'x'.repeat(MAX_BODY_BYTES) };
    for (const [status, refused] of [
      [413, change().send(large)],
      [415, change().set('Content-Encoding', 'gzip').send(soon)],
    ] as const) {
      const answer = await refused;
      expect([answer.status, answer.body]).toEqual([status, { error: expect.any(String) as string }]);
    }
    expect((await calling.queue.getJob(`call-${id}-0`))?.delay).toBeGreaterThan(3_600_000);
    await change().set('Sec-Fetch-Site', 'same-origin').send(soon).expect(200);
    expect((await calling.queue.getJob(`call-${id}-0`))?.delay).toBeLessThanOrEqual(60_000);
    await visit(calling.api, 'put', `/admin/queues/api/queues/calls/call-${id}-0/clean`).expect(204);
    expect(await calling.queue.getJob(`call-${id}-0`)).toBeUndefined();
  });
});

test('without Redis the board answers 503 at once, also while Redis hangs, and the pages work', async () => {
  const redis = await startTcpProxy(testRedisUrl());
  const world = await createWorld({ ...PAGES_LOGIN, redisUrl: redis.url });
  try {
    const app = await world.startApi();
    const ready = (wanted: boolean) =>
      eventually(
        () => Promise.resolve(app.get(CallQueue, { strict: false }).available),
        (available) => available === wanted,
      );
    await ready(true);
    expect(await jobsOf(app)).toEqual([]);

    redis.freeze();
    const startedAt = performance.now();
    const hung = await visit(app, 'get', QUEUES);
    expect(hung.status).toBeGreaterThanOrEqual(500);
    expect(performance.now() - startedAt).toBeLessThan(20_000);

    await redis.cut();
    await ready(false);
    const page = await visit(app, 'get', '/admin/queues').expect(503);
    expect(page.text).toContain('No call is lost');
    expect(page.type).toBe('text/html');
    await visit(app, 'get', QUEUES).expect(503);
    await (await OperationsClient.signedIn(app)).page('/platform');

    await redis.restore();
    await ready(true);
    expect(await jobsOf(app)).toEqual([]);
  } finally {
    await world.close();
    await redis.close();
  }
});

test('an API that starts without Redis shows the page about it', async () => {
  const world = await createWorld({ ...PAGES_LOGIN, redisUrl: 'redis://127.0.0.1:1' });
  try {
    const app = await world.startApi();
    await visit(app, 'get', '/admin/queues').expect(503);
    await visit(app, 'get', QUEUES).expect(503);
    await (await OperationsClient.signedIn(app)).page('/platform');
  } finally {
    await world.close();
  }
});
