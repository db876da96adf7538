import { type ServerResponse } from 'node:http';
import { DueDeliveries } from '../../../src/events/webhooks/delivery/due-deliveries.service.js';
import { Transactions } from '../../../src/database/transactions.js';
import { CallQueue } from '../../../src/queue/call-queue.js';
import { CampaignMetrics } from '../../../src/telemetry/campaign-metrics.js';
import { ImportMetrics } from '../../../src/telemetry/import-metrics.js';
import { Metrics } from '../../../src/telemetry/metrics.js';
import { RegisterMetrics } from '../../../src/telemetry/register-metrics.js';
import { WebhookMetrics } from '../../../src/telemetry/webhook-metrics.js';
import { ScrapeService } from '../../../src/operations/scrape.service.js';
import { clearRedisPrefix } from '../../support/redis.js';
import { buildContact, insertRow } from '../../support/builders.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { NEVER_MS } from '../../support/calling.js';
import { moveClock } from '../../support/clock.js';
import { eventually } from '../../support/eventually.js';
import { knowsRedis } from '../../support/idle-worker.js';
import { answering, Receiver } from './receiver.js';
import { all, ENDPOINTS, Webhooks } from './webhooks.js';

/* What crashes, lost wake-ups, stops and the passing of time leave of deliveries. */

let webhooks: Webhooks;
let receiver: Receiver;
let caller: Caller;
let url: string;

beforeEach(async () => {
  webhooks = await Webhooks.start({ erasureKey: 'erasure-key-of-the-tests' });
  caller = await buildCaller(webhooks.db);
  receiver = new Receiver();
  url = await receiver.listen();
});
afterEach(async () => {
  await receiver.close();
  await webhooks.close();
});

const startWorker = (sweeperIntervalMs?: number) =>
  webhooks.calling.startWorker(sweeperIntervalMs === undefined ? {} : { sweeperIntervalMs });

/** A worker that claims the endpoint's deliveries, and dies. */
async function claimAndDie(endpointId: string, count: number): Promise<{ id: string; attempt: number }[]> {
  return webhooks.db.query(
    'SELECT id, attempt FROM claim_webhook_deliveries(ARRAY[$1]::uuid[], ARRAY[$2]::integer[], 45000)',
    [endpointId, count],
  );
}

const finish = (id: string, attempt: number, outcome: string) =>
  webhooks.db.query(
    `SELECT * FROM finish_webhook_attempts(ARRAY[$1]::uuid[], ARRAY[$2]::integer[], ARRAY[$3], ARRAY[200], ARRAY['late'],
       ARRAY[NULL]::text[], ARRAY[1], ARRAY[5000]::bigint[], ARRAY[NULL]::bigint[])`,
    [id, attempt, outcome],
  );

test('wake-ups alone deliver: of the sequencer, of a test and of a retry', async () => {
  await knowsRedis(await startWorker(NEVER_MS));
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 25);
  const deliveries = await webhooks.until(caller, id, all('delivered', 25));
  expect((await webhooks.ask('post', `${ENDPOINTS}/${id}/test`, caller)).body).toMatchObject({
    status: 'delivered',
  });
  await webhooks
    .ask('post', `/api/webhook-deliveries/${deliveries[0]!.id}/retry?force=true`, caller)
    .expect(200);
  await webhooks.until(caller, id, (found) => found.some(({ attempts }) => attempts === 2));
  await webhooks.until(caller, id, all('delivered', 26));
  expect(receiver.received).toHaveLength(27);
});

test('deliveries arrive whose wake-ups Redis has lost', async () => {
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 5);
  await webhooks.number();
  await webhooks.ask('post', `${ENDPOINTS}/${id}/test`, caller).expect(201);
  await clearRedisPrefix(webhooks.calling.world.config.redisPrefix);
  await startWorker();
  await webhooks.until(caller, id, all('delivered', 6));
});

test('a worker that dies between claim and answer: others deliver once its lease is over', async () => {
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 3);
  await webhooks.number();
  expect(await claimAndDie(id, 2)).toHaveLength(2);
  await startWorker();
  await webhooks.until(
    caller,
    id,
    (found) => found.filter(({ status }) => status === 'delivered').length === 1,
  );
  expect(receiver.received).toHaveLength(1);
  await moveClock(webhooks.db, '46 seconds');
  const deliveries = await webhooks.until(caller, id, all('delivered', 3));
  expect(deliveries.map(({ attempts }) => attempts).sort()).toEqual([1, 2, 2]);
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(3);
});

test('a result is recorded once; after its lease a success still counts, and a failure does not', async () => {
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 2);
  await webhooks.number();
  const [first, second] = await claimAndDie(id, 2);
  await moveClock(webhooks.db, '46 seconds');
  await claimAndDie(id, 2);
  await finish(first!.id, first!.attempt, 'delivered');
  await finish(second!.id, second!.attempt, 'failed');
  await finish(second!.id, 2, 'retry');
  await finish(second!.id, 2, 'retry');
  const statuses = await webhooks.db.query<object[]>(
    'SELECT id, status, failures FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY status',
    [id],
  );
  expect(statuses).toEqual([
    { id: first!.id, status: 'delivered', failures: 0 },
    { id: second!.id, status: 'pending', failures: 1 },
  ]);
});

test('two workers deliver each event once', async () => {
  await Promise.all([startWorker(), startWorker()]);
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 100);
  await webhooks.until(caller, id, all('delivered', 100));
  expect(receiver.received).toHaveLength(100);
});

test('a worker that stops releases what hangs: it is no failure of the receiver', async () => {
  receiver.behave(() => undefined);
  const worker = await startWorker();
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 1);
  await eventually(
    () => Promise.resolve(receiver.received.length),
    (count) => count === 1,
  );
  await worker.close();
  const [delivery] = await webhooks.deliveries(caller, id);
  expect(delivery).toMatchObject({ status: 'pending', attempts: 1, error: 'stopped' });
  expect((await webhooks.ask('get', `${ENDPOINTS}/${id}`, caller)).body).toMatchObject({
    failingSince: null,
  });
  receiver.behave();
  await startWorker();
  await webhooks.until(caller, id, all('delivered', 1));
});

test('deliveries are removed with the retention of events, and those of a deleted endpoint with its row', async () => {
  const kept = await webhooks.create(caller, url);
  const deleted = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 3);
  await webhooks.number();
  await moveClock(webhooks.db, '6 days');
  await webhooks.writeEvents(caller.teamId, 2);
  await webhooks.number();
  await webhooks.ask('delete', `${ENDPOINTS}/${deleted.id}`, caller).expect(204);
  const worker = await startWorker(NEVER_MS);
  const remove = () => worker.get(DueDeliveries).remove(new AbortController().signal);
  expect(await remove()).toBe(5);
  expect(await remove()).toBe(0);
  const endpoints = await webhooks.db.query<object[]>('SELECT id FROM webhook_endpoints');
  expect(endpoints).toEqual([{ id: kept.id }]);
  await moveClock(webhooks.db, '7 days 1 hour');
  expect(await remove()).toBe(3);
  expect((await webhooks.deliveries(caller, kept.id)).map(({ sequence }) => sequence)).toEqual([5, 4]);
  await moveClock(webhooks.db, '0');
});

test('the erasure of a contact removes what receivers have answered about it', async () => {
  await startWorker();
  const { id } = await webhooks.create(caller, url);
  receiver.behave(answering(200, {}, 'thank you, Zebulon'));
  const { id: contactId, phone_number: phoneNumber } = await buildContact(webhooks.db, caller.teamId);
  await webhooks.db.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [
    caller.teamId,
    phoneNumber,
  ]);
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(caller, id, all('delivered', 2));
  await webhooks.ask('delete', `/api/contacts/${contactId}`, caller).expect(204);
  const answers = (await webhooks.deliveries(caller, id)).map(({ sequence, answer }) => [sequence, answer]);
  expect(answers).toEqual([
    [2, 'thank you, Zebulon'],
    [1, null],
  ]);
});

test('an answer that comes after the erasure is not kept, and the event is sent again without the person', async () => {
  await startWorker(NEVER_MS);
  const { id } = await webhooks.create(caller, url);
  const held: ServerResponse[] = [];
  receiver.behave((_, response) => void held.push(response));
  const { id: contactId, phone_number: phoneNumber } = await buildContact(webhooks.db, caller.teamId);
  await insertRow(webhooks.db, 'do_not_call', { team_id: caller.teamId, phone_number: phoneNumber });
  await eventually(
    () => Promise.resolve(held),
    ({ length }) => length === 1,
  );
  await webhooks.ask('delete', `/api/contacts/${contactId}`, caller).expect(204);
  receiver.behave(answering(200, {}, 'again'));
  held[0]?.end('thank you, Zebulon');
  await webhooks.ask('patch', `${ENDPOINTS}/${id}`, caller, {}).expect(200);
  const [delivery] = await webhooks.until(caller, id, all('delivered', 1));
  expect(delivery).toMatchObject({ attempts: 2, answer: 'again' });
  const [first, again] = receiver.received.map(({ body }) => body);
  expect([first?.includes(phoneNumber), again?.includes(phoneNumber)]).toEqual([true, false]);
});

test('an endpoint that fails every attempt is measured, until an attempt succeeds', async () => {
  const worker = await startWorker(NEVER_MS);
  receiver.behave(answering(500));
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 1);
  const [delivery] = await webhooks.until(caller, id, ([one]) => one?.responseCode === 500);
  const failing = async () => {
    // A service of its own: each shares a measurement for some seconds.
    const text = await new ScrapeService(
      worker.get(Metrics, { strict: false }),
      worker.get(Transactions, { strict: false }),
      worker.get(CallQueue, { strict: false }),
      worker.get(WebhookMetrics, { strict: false }),
      worker.get(ImportMetrics, { strict: false }),
      worker.get(CampaignMetrics, { strict: false }),
      worker.get(RegisterMetrics, { strict: false }),
    ).text();
    return ['endpoints_failing', 'endpoints_failing_seconds'].map((name) =>
      Number(new RegExp(`^outdial_webhook_${name} (.*)$`, 'm').exec(text)?.[1]),
    );
  };
  await moveClock(webhooks.db, '16 minutes');
  const [endpoints, seconds] = await failing();
  expect(endpoints).toBe(1);
  expect(seconds).toBeGreaterThan(900);
  receiver.behave();
  await webhooks.ask('post', `/api/webhook-deliveries/${delivery!.id}/retry`, caller).expect(200);
  await webhooks.until(caller, id, all('delivered', 1));
  expect(await failing()).toEqual([0, 0]);
  await moveClock(webhooks.db, '0');
});

test('metrics count attempts, and measure the lag and disabled endpoints', async () => {
  const worker = await startWorker();
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 2);
  await webhooks.until(caller, id, all('delivered', 2));
  receiver.behave(answering(410));
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(caller, id, (found) => found.some(({ responseCode }) => responseCode === 410));
  const text = await worker.get(ScrapeService).text();
  expect(text).toContain('outdial_webhook_attempts_total{outcome="delivered"} 2');
  expect(text).toContain('outdial_webhook_attempts_total{outcome="retry"} 1');
  expect(text).toContain('outdial_webhook_overdue_seconds 0');
  expect(text).toContain('outdial_webhook_endpoints_disabled 1');
  expect(text).toContain('outdial_webhook_attempt_duration_seconds_count 3');
});
