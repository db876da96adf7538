import { moveClock } from '../../support/clock.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { eventually } from '../../support/eventually.js';
import { answering, Receiver } from './receiver.js';
import { all, ENDPOINTS, isResting, Webhooks } from './webhooks.js';

/* What a worker does after failures, on a clock that tests move. */

const webhooks = Webhooks.ofFile();
let receiver: Receiver;
let caller: Caller;
let url: string;

beforeAll(() => webhooks.calling.startWorker());
beforeEach(async () => {
  caller = await buildCaller(webhooks.db);
  receiver = new Receiver();
  url = await receiver.listen();
});
afterEach(async () => {
  await moveClock(webhooks.db, '0');
  await receiver.close();
});

const endpointOf = async (id: string) =>
  (await webhooks.ask('get', `${ENDPOINTS}/${id}`, caller)).body as Record<string, unknown>;

test('Retry-After postpones the delivery, and holds the endpoint', async () => {
  receiver.behave(answering(429, { 'retry-after': '600' }));
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 1);
  const [delivery] = await webhooks.until(caller, id, ([one]) => one?.responseCode === 429);
  const waitMs = Date.parse(delivery!.nextAttemptAt!) - Date.parse(delivery!.lastAttemptAt!);
  expect(waitMs).toBeGreaterThanOrEqual(600_000);
  receiver.behave();
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.number();
  const barrier = await webhooks.create(caller, `${url}/barrier`);
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(caller, barrier.id, all('delivered', 1));
  expect(receiver.at('/')).toHaveLength(1);
  await moveClock(webhooks.db, '11 minutes');
  await webhooks.until(caller, id, all('delivered', 3));
});

test('ten failures end a delivery; a retry by hand begins again', async () => {
  receiver.behave(answering(500, {}, 'broken'));
  const { id } = await webhooks.create(caller, url);
  await webhooks.writeEvents(caller.teamId, 1);
  let hours = 0;
  for (let attempts = 1; attempts < 10; attempts += 1) {
    await webhooks.until(caller, id, ([one]) => one?.attempts === attempts && isResting(one, hours));
    // The fifth day would disable the endpoint.
    await moveClock(webhooks.db, `${(hours += [1, 1, 1, 3, 6, 12, 16, 23, 27][attempts - 1] ?? 0)} hours`);
  }
  const [failed] = await webhooks.until(caller, id, all('failed', 1));
  expect(failed).toMatchObject({ attempts: 10, answer: 'broken', nextAttemptAt: null });
  receiver.behave();
  const path = `/api/webhook-deliveries/${failed!.id}/retry`;
  const retried = await webhooks.ask('post', path, caller);
  expect([retried.status, retried.body]).toMatchObject([200, { id: failed!.id, status: 'pending' }]);
  const [delivered] = await webhooks.until(caller, id, all('delivered', 1));
  expect(delivered).toMatchObject({ attempts: 11, responseCode: 204 });
});

test('after five days of nothing but failures an endpoint is disabled; a success in between counts', async () => {
  receiver.behave(({ event }, response) => response.writeHead(event.sequence === 2 ? 200 : 500).end());
  const { id } = await webhooks.create(caller, url);
  const attempt = async (sequence: number, days: number) => {
    await moveClock(webhooks.db, `${days} days`);
    await webhooks.writeEvents(caller.teamId, 1);
    const deliveries = await webhooks.until(
      caller,
      id,
      ([one]) => one?.sequence === sequence && one.responseCode !== null,
    );
    return { deliveries, ...(await endpointOf(id)) };
  };
  expect(await attempt(1, 0)).toMatchObject({ disabled: false, failingSince: expect.any(String) as string });
  expect(await attempt(2, 3)).toMatchObject({ disabled: false });
  await webhooks.db.query(
    `UPDATE webhook_deliveries SET status = 'failed', next_at = NULL WHERE sequence = 1 AND endpoint_id = $1`,
    [id],
  );
  expect(await attempt(3, 3.1)).toMatchObject({ disabled: false });
  expect(await attempt(4, 7.9)).toMatchObject({ disabled: false });
  await moveClock(webhooks.db, '8.2 days');
  const disabled = await eventually(
    () => endpointOf(id),
    (endpoint) => endpoint.disabled === true,
  );
  expect(disabled).toMatchObject({ disabledReason: 'failing' });
});
