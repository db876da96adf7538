import supertest from 'supertest';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

let world: World;
let caller: Caller;
let http: ReturnType<typeof supertest>;

beforeAll(async () => {
  world = await createWorld();
  http = supertest((await world.startApi()).getHttpServer());
  caller = await buildCaller(world.db);
});
afterAll(() => world.close());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
/** The whole answer: `body` has only the fields of the contract; see `test/support/error-answers.ts`. */
const wholeOf = ({ text }: supertest.Response) => JSON.parse(text) as { error: string; hint?: string };
const errorOf = (answer: supertest.Response) => wholeOf(answer).error;

describe('a method that the path does not have', () => {
  test.each([
    ['get', '/api/voice-agents/x/calls', 'POST'],
    ['delete', '/api/contacts', 'GET, HEAD, POST'],
    ['put', `/api/contacts/00000000-0000-4000-8000-000000000000`, 'DELETE, GET, HEAD, PATCH'],
    ['post', '/health/live', 'GET, HEAD'],
    ['patch', '/api/imports', 'GET, HEAD, POST'],
  ] as const)('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await http[method](path);
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    expect(errorOf(answer)).toContain(allow);
  });

  test('a path of another method that looks like one with an id', async () => {
    const path = '/api/campaigns/contact-enrollments';
    expect((await http.get(path)).status).toBe(401);
    const answer = await http.get(path).set(bearer(caller.apiKey));
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });

  test('an unknown path stays 404', async () => {
    for (const path of ['/api/contact', '/api', '/api/contacts/x/y/z']) {
      const answer = await http.post(path);
      expect([answer.status, errorOf(answer), answer.headers.allow]).toEqual([404, 'Not found', undefined]);
    }
  });
});

describe('a malformed id in a path', () => {
  test.each([
    '/api/calls/12',
    '/api/contacts/+14155550100',
    '/api/imports/x',
    '/api/imports/x/results',
    '/api/campaigns/enrollments/x',
    '/api/webhook-endpoints/x',
    '/api/webhook-endpoints/x/deliveries',
  ])('%s is 404 that says "not an id"', async (path) => {
    const answer = await http.get(path).set(bearer(caller.apiKey));
    expect([answer.status, errorOf(answer)]).toEqual([404, expect.stringContaining('not an id')]);
  });

  test.each([
    'teams/x',
    'teams/x/voice-agents',
    'teams/TEAM/voice-agents/x',
    'teams/TEAM/campaigns/x/versions',
  ])('of the operator: %s', async (path) => {
    const answer = await http
      .get(`/api/admin/${path.replace('TEAM', caller.teamId)}`)
      .set(bearer(OPERATOR_TOKEN));
    expect([answer.status, errorOf(answer)]).toEqual([404, expect.stringContaining('not an id')]);
  });

  test('an id that nothing has is only not found', async () => {
    const answer = await http
      .get('/api/calls/00000000-0000-4000-8000-000000000000')
      .set(bearer(caller.apiKey));
    expect([answer.status, errorOf(answer)]).toEqual([404, 'Call not found']);
  });

  test('of an agent stays the contract’s answer', async () => {
    const answer = await http.post('/api/voice-agents/x/calls').set(bearer(caller.apiKey)).send({});
    expect(answer.body).toMatchObject({ message: 'Agent not found', reason: 'AGENT_NOT_FOUND' });
    expect(answer.status).toBe(500);
  });
});

describe('hints', () => {
  const hintOf = (answer: supertest.Response) => wholeOf(answer).hint;

  test('a key without Bearer: the contract’s text, and a hint', async () => {
    for (const headers of [{ Authorization: caller.apiKey }, { 'X-Api-Key': caller.apiKey }]) {
      const contact = await http.post('/api/contacts').set(headers).send({});
      expect([contact.status, errorOf(contact), hintOf(contact)]).toEqual([
        401,
        'Invalid API key',
        expect.stringContaining('Bearer'),
      ]);
      const call = await http.post(`/api/voice-agents/${caller.agentId}/calls`).set(headers).send({});
      expect(call.body).toMatchObject({ message: 'Invalid API Key for agent', reason: 'INVALID_API_KEY' });
      expect(hintOf(call)).toContain('Bearer');
      const read = await http.get('/api/calls').set(headers);
      expect([errorOf(read), hintOf(read)]).toEqual(['Invalid API key', expect.stringContaining('Bearer')]);
    }
    const operator = await http.get('/api/admin/teams').set({ Authorization: OPERATOR_TOKEN });
    expect(hintOf(operator)).toContain('Bearer');
  });

  test('no hint for a wrong key, or without a key', async () => {
    for (const headers of [bearer('wrong'), {}]) {
      const answer = await http.post('/api/contacts').set(headers).send({});
      expect([answer.status, hintOf(answer)]).toEqual([401, undefined]);
    }
  });

  test('a body in Latin-1, and a form', async () => {
    const post = (type: string, body: string, encoding: BufferEncoding = 'utf8') =>
      http
        .post('/api/contacts')
        .set({ ...bearer(caller.apiKey), 'Content-Type': type })
        .serialize((bytes: unknown) => bytes as string)
        .send(Buffer.from(body, encoding) as unknown as string);
    const latin1 = await post(
      'application/json',
      `{"phoneNumber":"${nextNumber()}","name":"Müller"}`,
      'latin1',
    );
    expect([latin1.status, errorOf(latin1)]).toEqual([400, expect.stringContaining('Latin-1')]);
    const form = await post('application/x-www-form-urlencoded', 'phoneNumber=%2B14155550100');
    expect([form.status, errorOf(form)]).toEqual([
      400,
      expect.stringContaining('Content-Type: application/json'),
    ]);
    const json = await post('application/x-www-form-urlencoded', `{"phoneNumber":"${nextNumber()}"}`);
    expect(json.status).toBe(201);
  });
});

test('answers with personal data are not stored by caches', async () => {
  const created = await http
    .post('/api/contacts')
    .set(bearer(caller.apiKey))
    .send({ phoneNumber: nextNumber() });
  const { contactId } = created.body as { contactId: string };
  const answers = [
    created,
    await http.get(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)),
    await http.get('/api/contacts/export').set(bearer(caller.apiKey)),
    await http.get('/api/calls').set(bearer(caller.apiKey)),
    await http.get(`/api/admin/teams/${caller.teamId}/calls`).set(bearer(OPERATOR_TOKEN)),
    await http.get('/api/contacts'),
  ];
  expect(answers.map(({ headers }) => headers['cache-control'] as string)).toEqual(
    answers.map(() => 'no-store'),
  );
  expect((await http.get('/docs/assets/style.css')).headers['cache-control']).toContain('public');
});
