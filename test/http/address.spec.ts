import supertest from 'supertest';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { postRaw, statusOf } from '../support/raw-http.js';

let world: World;
let caller: Caller;
let app: Awaited<ReturnType<World['startApi']>>;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  caller = await buildCaller(world.db);
});
afterAll(() => world.close());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe.each(['%E0%A4%A', '%', '%zz', '%ff', 'a%2'])('the malformed escape %s', (escape) => {
  test('names no agent, in the shape of the call endpoint', async () => {
    const body = { success: false, message: 'Agent not found', reason: 'AGENT_NOT_FOUND', retryable: false };
    const path = `/api/voice-agents/${escape}/calls`;
    expect(await postRaw(app, path, '{"phoneNumber":"+14155552671"}', bearer(caller.apiKey))).toEqual({
      status: 500,
      body,
    });
  });

  test('does not precede the credentials', async () => {
    for (const path of [`/api/calls/${escape}`, `/api/admin/teams/${escape}`]) {
      await supertest(app.getHttpServer()).get(path).expect(401);
    }
  });

  test('names no row', async () => {
    const get = (path: string, token: string) => supertest(app.getHttpServer()).get(path).set(bearer(token));
    await get(`/api/calls/${escape}`, caller.apiKey).expect(404, { error: 'Call not found' });
    await get(`/api/admin/teams/${escape}?limit=%`, OPERATOR_TOKEN).expect(404, { error: 'Team not found' });
  });
});

test('an id in capitals is the same id', async () => {
  const path = `/api/admin/teams/${caller.teamId.toUpperCase()}`;
  const answer = await supertest(app.getHttpServer()).get(path).set(bearer(OPERATOR_TOKEN)).expect(200);
  expect(answer.body).toMatchObject({ id: caller.teamId });
});

test('valid escapes are unchanged', async () => {
  const path = `/api/admin/teams/${caller.teamId.replace('-', '%2D')}`;
  await supertest(app.getHttpServer()).get(path).set(bearer(OPERATOR_TOKEN)).expect(200);
});

test('every answer is complete, also for clients that accept parts or compression', async () => {
  const path = `/api/admin/teams/${caller.teamId}`;
  const get = () => supertest(app.getHttpServer()).get(path).set(bearer(OPERATOR_TOKEN));
  const first = await get().expect(200);
  expect(first.headers).not.toHaveProperty('etag');
  for (const condition of ['*', '"x"']) {
    const again = await get().set('If-None-Match', condition).expect(200);
    expect(again.body).toEqual(first.body);
  }
});

describe('a request line with a whole URL is routed by its path', () => {
  const hosts = [
    'any.example',
    'any.example:99999',
    'any.example:99999:1',
    '[::1',
    'user:word@any.example:x',
    '',
  ];

  test.each(hosts)('http://%s', async (host) => {
    const get = (path: string, headers: Record<string, string> = {}) =>
      statusOf(app, `http://${host}${path}`, headers);
    expect(await get('/health/live')).toBe(200);
    expect(await get(`/api/admin/teams/${caller.teamId}?limit=1`, bearer(OPERATOR_TOKEN))).toBe(200);
    expect(await get('/api/admin/teams')).toBe(401);
    expect(await get('/platform?done=paused')).toBe(303);
    expect(await get('', {})).toBe(404);
    expect(await get('?x=1', {})).toBe(404);
  });

  test.each([
    '/http://any.example/health/live',
    '/\\\\any.example:99999/',
    '//any.example:99999/health/live',
  ])('a request line without a path is not found: %s', async (target) => {
    expect(await statusOf(app, target, {})).toBe(404);
  });
});
