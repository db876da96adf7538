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

/** Of an endpoint that has never failed. */
const SOUND = { disabled: false, disabledReason: null, failingSince: null };
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
        id: TEXT,
        url: URL,
        types: ['call.ended'],
        description: 'CRM',
        ...SOUND,
        createdAt: TEXT,
        secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) as string,
      },
    ]);
    const { secret, ...view } = created.body as { id: string; secret: string };
    expect((await ask('get', `/${view.id}`)).body).toEqual(view);
    expect((await ask('get', '')).body).toEqual({ items: [view], nextCursor: null });
    expect((await ask('patch', `/${view.id}`, {})).body).toEqual(view);
    const rotated = await ask('post', `/${view.id}/rotate-secret`);
    for (const answer of [created, rotated]) expect(answer.headers['cache-control']).toBe('no-store');
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
