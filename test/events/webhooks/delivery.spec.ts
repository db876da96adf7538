import { type ServerResponse } from 'node:http';
import { type INestApplicationContext } from '@nestjs/common';
import { DeliveryService } from '../../../src/events/webhooks/delivery/delivery.service.js';
import { WebhookDeliveriesService } from '../../../src/events/webhooks/webhook-deliveries.service.js';
import { type UpdateWebhookEndpoint } from '../../../src/events/webhooks/webhook-endpoint.dto.js';
import { WebhookEndpointsService } from '../../../src/events/webhooks/webhook-endpoints.service.js';
import { moveClock } from '../../support/clock.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { eventually } from '../../support/eventually.js';
import { answering, isSignedBy, Receiver, verify } from './receiver.js';
import { all, ENDPOINTS, isResting, Webhooks } from './webhooks.js';

/* A worker delivers to a real receiver on this host. */

const webhooks = Webhooks.ofFile();
let receiver: Receiver;
let caller: Caller;
let url: string;

let worker: INestApplicationContext;

beforeAll(async () => {
  worker = await webhooks.calling.startWorker();
});
beforeEach(async () => {
  caller = await buildCaller(webhooks.db);
  receiver = new Receiver();
  url = await receiver.listen();
});
afterEach(async () => {
  await moveClock(webhooks.db, '0');
  await receiver.close();
});

/** All but `Date`. */
const NOT_FAKED = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

const ask = (method: 'get' | 'post' | 'patch', path: string, body?: object) =>
  webhooks.ask(method, ENDPOINTS + path, caller, body);
const endpointOf = async (id: string) => (await ask('get', `/${id}`)).body as Record<string, unknown>;

test('an event arrives as the envelope of the feed, signed', async () => {
  const { id, secret } = await webhooks.create(caller, `${url}/hook?key=1`);
  const [phoneNumber] = await webhooks.writeEvents(caller.teamId, 1);
  const [delivery] = await webhooks.until(caller, id, all('delivered', 1));
  const event = { type: 'contact.opted_out', teamId: caller.teamId, sequence: 1 };
  const [received] = receiver.received;
  expect(receiver.received).toHaveLength(1);
  expect(received).toMatchObject({
    path: '/hook?key=1',
    headers: { 'content-type': 'application/json', 'webhook-id': delivery!.eventId },
  });
  expect(received!.event).toMatchObject({
    ...event,
    id: delivery!.eventId,
    data: { phoneNumber },
  });
  expect(Object.keys(received!.event)).toEqual(['id', 'type', 'timestamp', 'teamId', 'sequence', 'data']);
  expect(verify(secret, received!)).toEqual(received!.event);
  expect(isSignedBy(secret, received!)).toBe(true);
  expect(delivery).toMatchObject({
    attempts: 1,
    responseCode: 204,
    answer: '',
    error: null,
    nextAttemptAt: null,
  });
  const feed = await webhooks.ask('get', '/api/events?after=0', caller);
  expect((feed.body as { items: object[] }).items).toEqual([received!.event]);
});

test('every event arrives at least once at a receiver that fails at random', async () => {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const faults: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(500).end('no'),
    (response) => response.writeHead(429).end(),
    (response) => void response.socket?.resetAndDestroy(),
    (response) => response.writeHead(302, { location: url }).end(),
    // It has taken the event, and the sender does not learn of it.
    (response) => void response.socket?.destroy(),
  ];
  const taken = new Set<number>();
  const failures = new Map<number, number>();
  receiver.behave(({ event: { sequence } }, response) => {
    const failed = failures.get(sequence) ?? 0;
    const fault = failed < 3 && random() < 0.4 ? faults[Math.floor(random() * faults.length)] : undefined;
    if (fault === undefined) {
      taken.add(sequence);
      return response.writeHead(200).end();
    }
    failures.set(sequence, failed + 1);
    fault(response);
  });
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 60);
  for (let round = 0; round < 4; round += 1) {
    await webhooks.until(
      caller,
      id,
      (found) => found.length === 60 && found.every((one) => isResting(one, round)),
    );
    await moveClock(webhooks.db, `${round + 1} hours`);
  }
  await webhooks.until(caller, id, all('delivered', 60));
  expect(taken).toEqual(new Set(Array.from({ length: 60 }, (_, n) => n + 1)));
});

test('a receiver that hangs delays neither another endpoint of the team nor another team', async () => {
  const hanging = new Receiver();
  hanging.behave(() => undefined);
  await hanging.listen();
  const other = await buildCaller(webhooks.db);
  const hung = await webhooks.create(caller, hanging.url);
  const [own, foreign] = [await webhooks.create(caller, url), await webhooks.create(other, url)];
  await webhooks.writeEvents(caller.teamId, 40);
  await eventually(
    () => Promise.resolve(hanging.received.length),
    (count) => count > 0,
  );
  await webhooks.writeEvents(other.teamId, 40);
  await webhooks.until(caller, own.id, all('delivered', 40));
  await webhooks.until(other, foreign.id, all('delivered', 40));
  // All of this happened during the first request, or the few that followed its timeout.
  const attempted = (await webhooks.deliveries(caller, hung.id)).filter(({ attempts }) => attempts > 0);
  expect(attempted.length).toBeLessThan(10);
  await hanging.close();
});

test('requests are signed with the right time, whatever the clock of the worker says', async () => {
  const started = Date.now();
  jest.useFakeTimers({ now: started + 3_600_000, doNotFake: [...NOT_FAKED] });
  try {
    const { id, secret } = await webhooks.create(caller, url);
    await webhooks.writeEvents(caller.teamId, 1);
    await webhooks.until(caller, id, all('delivered', 1));
    const [received] = receiver.received;
    const seconds = Number(received?.headers['webhook-timestamp']);
    expect(seconds).toBeGreaterThanOrEqual(Math.floor(started / 1_000));
    expect(seconds).toBeLessThan(started / 1_000 + 600);
    expect(isSignedBy(secret, received!)).toBe(true);
  } finally {
    jest.useRealTimers();
  }
});

test('a retry does not send again what was delivered, unless it is asked to', async () => {
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 1);
  const [delivery] = await webhooks.until(caller, id, all('delivered', 1));
  const retry = (query: string, body?: object) =>
    webhooks.ask('post', `/api/webhook-deliveries/${delivery!.id}/retry${query}`, caller, body);
  for (const answer of [await retry(''), await retry('?force=false'), await retry('', { force: false })]) {
    expect([answer.status, answer.body]).toEqual([200, delivery]);
  }
  for (const [query, body] of [['?force=yes'], ['', { force: 1 }], ['', { forced: true }]] as const) {
    expect((await retry(query, body)).status).toBe(400);
  }
  expect(receiver.received).toHaveLength(1);
  for (const [attempts, query, body] of [
    [2, '?force=true'],
    [3, '', { force: true }],
  ] as const) {
    expect((await retry(query, body)).body).toMatchObject({ status: 'pending' });
    await webhooks.until(caller, id, ([one]) => one?.attempts === attempts && one.status === 'delivered');
  }
  expect(receiver.received).toHaveLength(3);
});

test('redirects are not followed, and count as failures', async () => {
  receiver.behave((received, response) => {
    response.writeHead(received.path === '/' ? 308 : 200, { location: `${url}/elsewhere` }).end('moved');
  });
  const { id } = await webhooks.create(caller, `${url}/`);
  await webhooks.writeEvents(caller.teamId, 1);
  const [delivery] = await webhooks.until(caller, id, ([one]) => one?.responseCode === 308);
  expect(delivery).toMatchObject({ status: 'pending', attempts: 1, answer: 'moved' });
  expect(receiver.at('/elsewhere')).toEqual([]);
  expect((await endpointOf(id)).failingSince).not.toBeNull();
});

test('an endpoint that answers 410 is disabled at once', async () => {
  const held: ServerResponse[] = [];
  receiver.behave((_, response) => void held.push(response));
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 3);
  // Of events that are numbered later it would get none.
  await webhooks.until(caller, id, ({ length }) => length === 3);
  receiver.behave(answering(410));
  for (const response of held) response.writeHead(410).end();
  await webhooks.until(caller, id, (found) => found.some(({ responseCode }) => responseCode === 410));
  expect(await endpointOf(id)).toMatchObject({ disabled: true, disabledReason: 'gone' });
  const before = receiver.received.length;
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.number();
  await moveClock(webhooks.db, '1 day');
  const barrier = await webhooks.create(caller, `${url}/barrier`);
  receiver.behave();
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(caller, barrier.id, all('delivered', 1));
  expect(receiver.at('/')).toHaveLength(before);
  // Enabled, it gets what was pending, that which it answered with 410 too; what happened meanwhile it does not.
  await ask('patch', `/${id}`, { disabled: false }).expect(200);
  const after = await webhooks.until(caller, id, all('delivered', 3));
  expect(after.map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
  expect(await endpointOf(id)).toMatchObject({ disabled: false, failingSince: null });
});

test('after a rotation both secrets sign, for a day', async () => {
  const { id, secret } = await webhooks.create(caller, url);
  const rotated = (await ask('post', `/${id}/rotate-secret`)).body as { secret: string };
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(caller, id, all('delivered', 1));
  await moveClock(webhooks.db, '25 hours');
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(caller, id, all('delivered', 2));
  const [during, after] = receiver.received;
  for (const one of [secret, rotated.secret]) {
    expect(verify(one, during!)).toEqual(during!.event);
    expect(isSignedBy(one, during!)).toBe(true);
  }
  expect(String(during!.headers['webhook-signature']).split(' ')).toHaveLength(2);
  expect(verify(rotated.secret, after!)).toEqual(after!.event);
  expect(isSignedBy(secret, after!)).toBe(false);
});

test('a test is answered with its result, and sends the endpoint', async () => {
  const { id, secret } = await webhooks.create(caller, url, { types: ['call.ended'] });
  receiver.behave(answering(200, {}, 'hello'));
  const taken = await ask('post', `/${id}/test`);
  const test = { type: 'webhook.test', sequence: 0 };
  const answered = { status: 'delivered', responseCode: 200, answer: 'hello' };
  expect([taken.status, taken.body]).toMatchObject([201, { ...test, ...answered, endpointId: id }]);
  const [received] = receiver.received;
  expect(received!.event).toMatchObject({
    ...test,
    teamId: caller.teamId,
    data: { id, url, types: ['call.ended'], description: null, disabled: false },
  });
  expect(verify(secret, received!)).toEqual(received!.event);
  receiver.behave(answering(500));
  expect((await ask('post', `/${id}/test`)).body).toMatchObject({
    status: 'pending',
    responseCode: 500,
    attempts: 1,
  });
});

test('an id in capitals is the same endpoint for the worker', async () => {
  const wake = jest.spyOn(worker.get(DeliveryService, { strict: false }), 'wake');
  const { id } = await webhooks.create(caller, url);
  const own = webhooks.calling.api.get(WebhookDeliveriesService, { strict: false });
  const endpoints = webhooks.calling.api.get(WebhookEndpointsService, { strict: false });
  const capitals = id.toUpperCase();
  await endpoints.update(caller.teamId, capitals, {} as UpdateWebhookEndpoint);
  expect(await own.test(caller.teamId, capitals)).toMatchObject({ endpointId: id, status: 'delivered' });
  await own.replay(caller.teamId, capitals, { after: 0 });
  expect(new Set(wake.mock.calls.map(([endpointId]) => endpointId))).not.toContain(capitals);
  wake.mockRestore();
});

test('a replay sends kept events again, in the envelope with the same id', async () => {
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 3);
  await webhooks.until(caller, id, all('delivered', 3));
  const replayed = await ask('post', `/${id}/replay`, { after: 1, until: 2 });
  expect([replayed.status, replayed.body]).toEqual([202, { deliveries: 1, nextAfter: null }]);
  await eventually(
    () => Promise.resolve(receiver.received.length),
    (count) => count === 4,
  );
  const [again, first] = receiver.received.filter(({ event }) => event.sequence === 2);
  expect(again!.event).toEqual(first!.event);
});

test('a delivery whose event is no longer kept fails and is not retried', async () => {
  receiver.behave(answering(500));
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(caller, id, ([one]) => one?.responseCode === 500);
  await webhooks.db.query('DELETE FROM events WHERE team_id = $1', [caller.teamId]);
  await moveClock(webhooks.db, '1 hour');
  const [failed] = await webhooks.until(caller, id, all('failed', 1));
  expect(failed).toMatchObject({ error: 'removed', responseCode: null });
});
