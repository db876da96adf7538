import { randomUUID } from 'node:crypto';
import { KeyedSemaphore } from '../../../src/database/keyed-semaphore.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { walkBy } from '../../lists/list-client.js';
import { ENDPOINTS, Webhooks } from './webhooks.js';

const webhooks = Webhooks.ofFile({ webhooksAllowPrivate: false });
let caller: Caller;
let stranger: Caller;

beforeEach(async () => {
  caller = await buildCaller(webhooks.db);
  stranger = await buildCaller(webhooks.db);
});

/** Of a delivery that has not been sent. */
const UNSENT = { lastAttemptAt: null, responseCode: null, answer: null, error: null, durationMs: null };
const TEXT = expect.any(String) as string;
const URL = 'https://example.com/hook?key=1';
const ask = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, by = caller) =>
  webhooks.ask(method, ENDPOINTS + path, by, body);

describe('deliveries', () => {
  test('are created once for each enabled endpoint that gets the type', async () => {
    const every = await webhooks.create(caller, URL);
    const some = await webhooks.create(caller, URL, { types: ['contact.opted_out', 'call.ended'] });
    const other = await webhooks.create(caller, URL, { types: ['call.ended'] });
    const disabled = await webhooks.create(caller, URL, { disabled: true });
    const foreign = await webhooks.create(stranger, URL);
    await webhooks.writeEvents(caller.teamId, 3);
    await webhooks.number();
    await webhooks.number();
    const sequences = async ({ id }: { id: string }, by = caller) =>
      (await webhooks.deliveries(by, id)).map(({ sequence }) => sequence);
    expect(await sequences(every)).toEqual([3, 2, 1]);
    expect(await sequences(some)).toEqual([3, 2, 1]);
    for (const one of [other, disabled]) expect(await sequences(one)).toEqual([]);
    expect(await sequences(foreign, stranger)).toEqual([]);
    const [delivery] = await webhooks.deliveries(caller, every.id);
    expect(delivery).toEqual({
      id: TEXT,
      endpointId: every.id,
      eventId: TEXT,
      sequence: 3,
      type: 'contact.opted_out',
      status: 'pending',
      attempts: 0,
      nextAttemptAt: TEXT,
      ...UNSENT,
      createdAt: TEXT,
    });
    const path = `/api/webhook-deliveries/${delivery!.id}`;
    expect((await webhooks.ask('get', path, caller)).body).toEqual(delivery);
    for (const id of [delivery!.id, randomUUID(), 'x']) {
      for (const [method, action] of [
        ['get', ''],
        ['post', '/retry'],
      ] as const) {
        const answer = await webhooks.ask(method, `/api/webhook-deliveries/${id}${action}`, stranger);
        expect([answer.status, answer.body]).toEqual([404, { error: 'Webhook delivery not found' }]);
      }
    }
  });

  test('are listed in pages, those of the newest events first, and by status', async () => {
    const { id } = await webhooks.create(caller, URL);
    await webhooks.writeEvents(caller.teamId, 7);
    await webhooks.number();
    const path = `${ENDPOINTS}/${id}/deliveries`;
    const { items, sizes } = await walkBy(webhooks.calling, caller, path, 3, async () => {
      await webhooks.writeEvents(caller.teamId, 1);
      await webhooks.number();
    });
    expect(sizes).toEqual([3, 3, 1]);
    expect(items.map(({ sequence }) => sequence)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    await webhooks.db.query(
      `UPDATE webhook_deliveries SET status = 'failed', next_at = NULL WHERE endpoint_id = $1 AND sequence IN (2, 5)`,
      [id],
    );
    const failed = await webhooks.deliveries(caller, id, '&status=failed');
    expect(failed.map(({ sequence }) => sequence)).toEqual([5, 2]);
    expect((await webhooks.ask('get', `${path}?status=lost`, caller)).status).toBe(400);
    expect((await webhooks.ask('get', `${path}?cursor=x`, caller)).status).toBe(400);
  });

  test('a replay makes deliveries of kept events due, those from before the endpoint included', async () => {
    await webhooks.writeEvents(caller.teamId, 5);
    await webhooks.number();
    const { id } = await webhooks.create(caller, URL);
    const replay = async (body: object) => {
      const answer = await ask('post', `/${id}/replay`, body);
      return [answer.status, answer.body as object];
    };
    expect(await replay({ after: 1, until: 3 })).toEqual([202, { deliveries: 2, nextAfter: null }]);
    await webhooks.db.query(
      `UPDATE webhook_deliveries SET status = 'failed', attempts = 10, failures = 10, next_at = NULL WHERE endpoint_id = $1`,
      [id],
    );
    expect(await replay({ after: 0 })).toEqual([202, { deliveries: 5, nextAfter: null }]);
    const deliveries = await webhooks.deliveries(caller, id);
    expect(deliveries.map(({ sequence, status }) => [sequence, status])).toEqual(
      [5, 4, 3, 2, 1].map((sequence) => [sequence, 'pending']),
    );
    expect(await replay({ after: 5 })).toEqual([202, { deliveries: 0, nextAfter: null }]);
    for (const body of [{}, { after: -1 }, { after: 1.5 }, { after: '1' }, { after: 1, until: -1 }]) {
      expect((await replay(body))[0]).toBe(400);
    }
  });

  test('a replay has a permit of its team for each of its parts, which together look at every event', async () => {
    await webhooks.db.query(
      `INSERT INTO events (id, team_id, type, at, data)
       SELECT uuidv7(), $1, 'contact.opted_out', now(), '{}' FROM generate_series(1, 1203)`,
      [caller.teamId],
    );
    await webhooks.number();
    const { id } = await webhooks.create(caller, URL);
    const semaphore = webhooks.calling.api.get(KeyedSemaphore, { strict: false });
    const permits = jest.spyOn(semaphore, 'run');
    const replay = await ask('post', `/${id}/replay`, { after: 2, until: 1202 });
    expect([replay.status, replay.body]).toEqual([202, { deliveries: 1200, nextAfter: null }]);
    expect(permits.mock.calls.map(([team]) => team)).toEqual([1, 2, 3].map(() => caller.teamId));
    permits.mockRestore();
    const [row] = await webhooks.db.query<{ first: string; last: string; rows: string; bulk: boolean }[]>(
      `SELECT min(sequence) AS first, max(sequence) AS last, count(*) AS rows, bool_and(bulk) AS bulk
       FROM webhook_deliveries WHERE endpoint_id = $1`,
      [id],
    );
    expect(row).toEqual({ first: '3', last: '1202', rows: '1200', bulk: true });
  });

  test('a replay looks at most at 10,000 events, and `nextAfter` goes on behind them', async () => {
    const count = 10_100;
    await webhooks.db.query(
      `INSERT INTO events (id, team_id, type, at, data)
       SELECT uuidv7(), $1, 'contact.opted_out', now(), '{}' FROM generate_series(1, $2::integer)`,
      [caller.teamId, count],
    );
    await webhooks.number();
    const { id } = await webhooks.create(caller, URL);
    const parts: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const answer = await ask('post', `/${id}/replay`, { after }).expect(202);
      const { deliveries, nextAfter } = answer.body as { deliveries: number; nextAfter: number | null };
      // Every event is of a type that the endpoint gets. On a slow machine, the time ends a part before its limit.
      expect(nextAfter ?? count).toBe(after + deliveries);
      expect(deliveries).toBeLessThanOrEqual(10_000);
      parts.push(deliveries);
      after = nextAfter;
    }
    expect(parts.length).toBeGreaterThan(1);
    const [row] = await webhooks.db.query<object[]>(
      `SELECT min(sequence)::integer AS first, max(sequence)::integer AS last, count(DISTINCT sequence)::integer AS events
       FROM webhook_deliveries WHERE endpoint_id = $1`,
      [id],
    );
    expect(row).toEqual({ first: 1, last: count, events: count });
  });

  test('of bulk work wait behind the others of their endpoint, which leave them a share', async () => {
    const { id } = await webhooks.create(caller, URL);
    await webhooks.db.query(
      `INSERT INTO events (id, team_id, type, at, data)
       SELECT uuidv7(), $1, 'enrollment.created', now(), jsonb_build_object('id', gen_random_uuid()) FROM generate_series(1, 400)`,
      [caller.teamId],
    );
    await webhooks.number();
    await webhooks.db.query(
      `INSERT INTO events (id, team_id, type, at, data)
       SELECT uuidv7(), $1, 'call.ended', now(), jsonb_build_object('id', gen_random_uuid()) FROM generate_series(1, 200)`,
      [caller.teamId],
    );
    await webhooks.number();
    const claimed: string[] = [];
    for (let n = 0; n < 150; n += 1) {
      const rows = await webhooks.db.query<{ type: string }[]>(
        'SELECT type FROM claim_webhook_deliveries(ARRAY[$1]::uuid[], ARRAY[1]::integer[], 45000)',
        [id],
      );
      claimed.push(...rows.map(({ type }) => type));
    }
    const calls = claimed.filter((type) => type === 'call.ended').length;
    // Four of five; chance leaves these bounds once in millions of runs.
    expect(calls).toBeGreaterThan(80);
    expect(calls).toBeLessThan(147);
    const rest = await webhooks.db.query<object[]>(
      'SELECT FROM claim_webhook_deliveries(ARRAY[$1]::uuid[], ARRAY[1000]::integer[], 45000)',
      [id],
    );
    expect(rest).toHaveLength(450);
  });

  test('of a disabled endpoint are neither tested, retried nor replayed', async () => {
    const { id } = await webhooks.create(caller, URL);
    await webhooks.writeEvents(caller.teamId, 1);
    await webhooks.number();
    const [delivery] = await webhooks.deliveries(caller, id);
    await ask('patch', `/${id}`, { disabled: true }).expect(200);
    const answers = [
      await ask('post', `/${id}/test`),
      await ask('post', `/${id}/replay`, { after: 0 }),
      await webhooks.ask('post', `/api/webhook-deliveries/${delivery!.id}/retry`, caller),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([409, { error: 'The webhook endpoint is disabled' }]);
    }
  });

  test('a test without a worker is answered with its pending delivery', async () => {
    const { id } = await webhooks.create(caller, URL, { types: ['call.ended'] });
    const answer = await ask('post', `/${id}/test`).expect(201);
    const test = { endpointId: id, type: 'webhook.test', sequence: 0 };
    expect(answer.body).toMatchObject({ ...test, status: 'pending', attempts: 0 });
  });
});
