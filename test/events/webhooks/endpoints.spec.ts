import { randomUUID } from 'node:crypto';
import { EVENT_TYPES } from '../../../src/events/event-types.js';
import { moveClock } from '../../support/clock.js';
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

const TEXT = expect.any(String) as string;
const URL = 'https://example.com/hook?key=1';
const ask = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, by = caller) =>
  webhooks.ask(method, ENDPOINTS + path, by, body);

describe('an endpoint', () => {
  test('is created with a secret that is shown once', async () => {
    const created = await ask('post', '', { url: URL, types: ['call.ended'], description: 'CRM' });
    expect([created.status, created.body]).toEqual([
      201,
      {
        ...{ id: TEXT, url: URL, types: ['call.ended'], description: 'CRM', disabled: false },
        ...{ disabledReason: null, failingSince: null, createdAt: TEXT },
        secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) as string,
      },
    ]);
    const { secret, ...view } = created.body as { id: string; secret: string };
    expect((await ask('get', `/${view.id}`)).body).toEqual(view);
    expect((await ask('get', '')).body).toEqual({ items: [view], nextCursor: null });
    expect((await ask('patch', `/${view.id}`, {})).body).toEqual(view);
    const rotated = await ask('post', `/${view.id}/rotate-secret`);
    expect([rotated.status, rotated.body]).toEqual([200, { ...view, secret: TEXT }]);
    expect((rotated.body as { secret: string }).secret).not.toBe(secret);
  });

  test('gets all types unless it names some', async () => {
    for (const body of [{ url: URL }, { url: URL, types: null, description: null }]) {
      expect((await ask('post', '', body)).body).toMatchObject({ types: null, description: null });
    }
    expect((await ask('post', '', { url: URL, types: EVENT_TYPES })).status).toBe(201);
  });

  test('is changed field by field, and cleared by null', async () => {
    const { id } = await webhooks.create(caller, URL, { types: ['call.ended'], description: 'CRM' });
    const change = async (body: object) => (await ask('patch', `/${id}`, body)).body as object;
    expect(await change({ types: null })).toMatchObject({ types: null, description: 'CRM' });
    expect(await change({ description: null })).toMatchObject({ types: null, description: null, url: URL });
    expect(await change({ url: 'https://example.org/' })).toMatchObject({ url: 'https://example.org/' });
    expect(await change({ disabled: true })).toMatchObject({ disabled: true, disabledReason: 'team' });
    expect(await change({ types: ['call.started'] })).toMatchObject({ disabled: true });
    expect(await change({ disabled: false })).toMatchObject({ disabled: false, disabledReason: null });
  });

  test('is deleted with its deliveries', async () => {
    const { id } = await webhooks.create(caller, URL);
    await webhooks.writeEvents(caller.teamId, 1);
    await webhooks.number();
    const [delivery] = await webhooks.deliveries(caller, id);
    expect((await ask('delete', `/${id}`)).status).toBe(204);
    expect((await ask('get', '')).body).toEqual({ items: [], nextCursor: null });
    for (const path of [`/${id}`, `/${id}/deliveries`]) expect((await ask('get', path)).status).toBe(404);
    expect((await ask('delete', `/${id}`)).status).toBe(404);
    expect((await webhooks.ask('get', `/api/webhook-deliveries/${delivery!.id}`, caller)).status).toBe(404);
    const [row] = await webhooks.db.query<object[]>('SELECT secret FROM webhook_endpoints WHERE id = $1', [
      id,
    ]);
    expect(row).toEqual({ secret: '' });
  });

  test('is one of 20 of a team at most, also if they are created at once', async () => {
    const created = await Promise.all(Array.from({ length: 25 }, () => ask('post', '', { url: URL })));
    expect(created.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(created.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { error: 'The team has 20 webhook endpoints already' },
    });
    const [first] = created.filter(({ status }) => status === 201);
    await ask('delete', `/${(first!.body as { id: string }).id}`).expect(204);
    expect((await ask('post', '', { url: URL })).status).toBe(201);
    expect((await walkBy(webhooks.calling, caller, ENDPOINTS, 8)).sizes).toEqual([8, 8, 4]);
  });

  test.each([
    [{}, 'url is required'],
    [{ url: 7 }, 'url must be a string'],
    [{ url: 'http://example.com/' }, 'url must be an https:// URL'],
    [{ url: 'https://u:p@example.com/' }, 'url must have no user and no password'],
    [{ url: 'https://192.168.0.1/' }, 'url must not lead into a private network'],
    [{ url: 'https://169.254.169.254/' }, 'url must not lead into a private network'],
    [{ url: URL, types: [] }, 'types must be null or an array of event types'],
    [{ url: URL, types: ['call.ended', 'call.rang'] }, /^types must hold event types: call\.scheduled, /],
    [{ url: URL, types: ['call.ended', 'call.ended'] }, 'types must not repeat an event type'],
    [{ url: URL, description: 'x'.repeat(501) }, 'description must be at most 500 characters'],
    [{ url: URL, disabled: 'yes' }, 'disabled must be true or false'],
    [{ url: URL, secret: 'whsec_mine' }, 'secret is not a field of this resource'],
  ])('is not created with a bad field (%#)', async (body, error) => {
    const answer = await ask('post', '', body);
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toMatch(error);
    if (!('url' in body)) return;
    const { id } = await webhooks.create(caller, URL);
    expect((await ask('patch', `/${id}`, body)).status).toBe(400);
  });

  test('of another team, unknown and malformed ids are 404; no key is 401', async () => {
    const { id } = await webhooks.create(caller, URL);
    for (const one of [id, randomUUID(), 'x']) {
      const answers = [
        await ask('get', `/${one}`, undefined, stranger),
        await ask('patch', `/${one}`, { disabled: true }, stranger),
        await ask('delete', `/${one}`, undefined, stranger),
        await ask('post', `/${one}/rotate-secret`, undefined, stranger),
        await ask('post', `/${one}/test`, undefined, stranger),
        await ask('get', `/${one}/deliveries`, undefined, stranger),
        await ask('post', `/${one}/replay`, { after: 0 }, stranger),
      ];
      for (const { status, body } of answers) {
        expect([status, body]).toEqual([404, { error: 'Webhook endpoint not found' }]);
      }
    }
    expect((await ask('get', '', undefined, stranger)).body).toEqual({ items: [], nextCursor: null });
    expect((await ask('get', `/${id}`)).body).toMatchObject({ disabled: false });
    expect((await webhooks.calling.http().get(ENDPOINTS)).status).toBe(401);
  });
});

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
      ...{ id: TEXT, endpointId: every.id, eventId: TEXT, sequence: 3 },
      ...{ type: 'contact.opted_out', status: 'pending', attempts: 0, nextAttemptAt: TEXT },
      ...{ lastAttemptAt: null, responseCode: null, answer: null, error: null, durationMs: null },
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

test('secrets overlap for a day, and appear in no list', async () => {
  const { id, secret } = await webhooks.create(caller, URL);
  await ask('post', `/${id}/rotate-secret`).expect(200);
  const claimed = `SELECT CASE WHEN previous_until > outdial_now() THEN previous_secret END AS previous FROM webhook_endpoints WHERE id = $1`;
  const previous = async () =>
    (await webhooks.db.query<{ previous: string | null }[]>(claimed, [id]))[0]?.previous;
  expect(await previous()).toBe(secret);
  await moveClock(webhooks.db, '24 hours 1 minute');
  expect(await previous()).toBeNull();
  await moveClock(webhooks.db, '0');
  for (const path of ['', `/${id}`, `/${id}/deliveries`])
    expect((await ask('get', path)).text).not.toContain('whsec');
});
