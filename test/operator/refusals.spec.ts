import { gzipSync } from 'node:zlib';
import { type LoggerService } from '@nestjs/common';
import supertest from 'supertest';
import { buildTeam } from '../support/builders.js';
import { createOperatorWorld, UNKNOWN_ID, OPERATOR_TOKEN, type OperatorWorld } from './operator-api.js';

let world: OperatorWorld;
const logged: string[] = [];

const log = (...parts: unknown[]) => void logged.push(parts.map((part) => JSON.stringify(part)).join(' '));
const logger: LoggerService = { log, error: log, warn: log, fatal: log };

beforeAll(async () => {
  world = await createOperatorWorld({ logger });
});
afterAll(() => world.close());

const bearer = `Bearer ${OPERATOR_TOKEN}`;

function post(body: string | Buffer, headers: Record<string, string> = {}) {
  return supertest(world.app.getHttpServer())
    .post('/api/admin/teams')
    .set({ authorization: bearer, 'content-type': 'application/json', ...headers })
    .serialize((sent: unknown) => sent as string)
    .send(body);
}

describe('400 names every bad field', () => {
  const refused = async (path: string, body: object) => {
    const answer = await supertest(world.app.getHttpServer())
      .post(`/api/admin/teams${path}`)
      .set({ authorization: bearer })
      .send(body);
    expect(answer.status).toBe(400);
    return (answer.body as { error: string }).error;
  };

  test('unknown fields and invalid values', async () => {
    expect(await refused('', { nmae: 'A', paused: 'no', colour: 1 })).toBe(
      'nmae is not a field of this resource; colour is not a field of this resource; name is required; paused must be true or false',
    );
  });

  test('values that depend on the team and the carriers', async () => {
    const { id } = await buildTeam(world.db);
    const agent = { name: 'A', timezone: 'UTC', callingHours: null, outboundPhoneNumber: '1' };
    expect(await refused(`/${id}/voice-agents`, { ...agent, carrier: 'http' })).toMatch(
      /^outboundPhoneNumber must be in international form.*; carrier is not configured here/,
    );
    expect(
      await refused(`/${id}/number-pools`, { name: 'A', phoneNumbers: ['x', '+14155550100', 'y'] }),
    ).toMatch(/^phoneNumbers\[0\] .*; phoneNumbers\[2\] [^;]*$/);
    const foreign = ['+14155550100', '+14155550101'];
    expect(await refused(`/${id}/number-pools`, { name: 'A', phoneNumbers: foreign })).toBe(
      'phoneNumbers[0] is not a phone number of the team; phoneNumbers[1] is not a phone number of the team',
    );
  });

  test('at most twenty of thousands', async () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field${n}`, n]));
    const error = await refused('', body);
    expect(error).toMatch(/^field0 is not a field of this resource; .*; and 4981 more$/);
    expect(error.split('; ')).toHaveLength(21);
  });
});

describe('the operator token', () => {
  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${OPERATOR_TOKEN}`,
    OPERATOR_TOKEN,
    `${bearer}x`,
    bearer.slice(0, -1),
    `Bearer ${'x'.repeat(5_000)}`,
    `${bearer} ${bearer}`,
  ])('%p is refused', async (authorization) => {
    const request = supertest(world.app.getHttpServer()).get('/api/admin/teams');
    const response = await (authorization === undefined ? request : request.set({ authorization }));
    expect([response.status, response.body]).toEqual([401, { error: 'Invalid operator token' }]);
  });

  test.each([bearer, `bearer ${OPERATOR_TOKEN}`, `BEARER  ${OPERATOR_TOKEN} `])(
    '%p is accepted',
    async (authorization) => {
      const response = await supertest(world.app.getHttpServer())
        .get('/api/admin/teams')
        .set({ authorization });
      expect(response.status).toBe(200);
    },
  );

  test('is required on every route', async () => {
    const server = world.app.getHttpServer();
    const team = `/api/admin/teams/${UNKNOWN_ID}`;
    const collections = [
      'api-keys',
      'phone-numbers',
      'number-pools',
      'voice-agents',
      'do-not-call',
      'whitelist',
      'campaigns',
    ];
    const attempts = [
      supertest(server).post('/api/admin/pause'),
      supertest(server).post('/api/admin/resume'),
      supertest(server).post(`${team}/pause`),
      supertest(server).patch(team).send({}),
      ...collections.flatMap((name) => [
        supertest(server).get(`${team}/${name}`),
        supertest(server).post(`${team}/${name}`).send({}),
        supertest(server).get(`${team}/${name}/${UNKNOWN_ID}`),
      ]),
      supertest(server).delete(`${team}/api-keys/${UNKNOWN_ID}`),
    ];
    for (const attempt of attempts) expect((await attempt).status).toBe(401);
  });
});

describe('bodies', () => {
  const large = JSON.stringify({ name: 'x'.repeat(300 * 1024) });

  test('a request without a key is 401, whatever the body', async () => {
    for (const body of [large, '{', '']) {
      expect((await post(body, { authorization: 'Bearer wrong' })).status).toBe(401);
    }
  });

  test('over 256 KB is 413', async () => {
    const refusal = { error: 'The body must be at most 256 KB' };
    const response = await post(large);
    expect([response.status, response.body]).toEqual([413, refusal]);
    expect((await post('x'.repeat(3_000_000))).status).toBe(413);
  });

  test.each<[string, string | Buffer, Record<string, string>]>([
    ['no JSON', '{', {}],
    ['empty', '', {}],
    ['an array', '[]', {}],
    ['a string', '"x"', {}],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}],
    ['NUL', '{"name":"a\\u0000"}', {}],
    ['a lone surrogate', '{"name":"\\ud800"}', {}],
    ['__proto__', '{"name":"A","__proto__":{}}', {}],
    ['deep', `{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, {}],
    ['an unknown charset', '{}', { 'content-type': 'application/json; charset=klingon' }],
  ])('%s is 400', async (_, body, headers) => {
    const response = await post(body, headers);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: expect.any(String) as string });
  });

  test('are read with any content type', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-8',
    ]) {
      expect((await post('{"name":"A"}', { 'content-type': type })).status).toBe(201);
    }
  });

  test.each(['gzip', 'br', 'snappy', 'gzip, identity'])(
    'with the content encoding %s are 415',
    async (encoding) => {
      const response = await post(gzipSync('{"name":"A"}'), { 'content-encoding': encoding });
      expect([response.status, response.body]).toEqual([
        415,
        { error: 'The body must have no Content-Encoding' },
      ]);
    },
  );

  test('an invalid field precedes an unknown team', async () => {
    const response = await supertest(world.app.getHttpServer())
      .post(`/api/admin/teams/${UNKNOWN_ID}/api-keys`)
      .set({ authorization: bearer })
      .send({});
    expect([response.status, response.body]).toEqual([400, { error: 'name is required' }]);
  });
});

describe('unexpected errors', () => {
  test('an unknown route and a malformed address have the same shape', async () => {
    const server = world.app.getHttpServer();
    const unknown = await supertest(server).get('/api/admin/nonsense').set({ authorization: bearer });
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Not found' }]);
    const malformed = await supertest(server).get('/api/admin/teams/%E0%A4%A').set({ authorization: bearer });
    expect([malformed.status, malformed.body]).toEqual([400, { error: 'Bad request' }]);
    expect((await supertest(server).put('/api/admin/teams').set({ authorization: bearer })).status).toBe(405);
  });

  test('a failing statement is only 500; the log contains no value', async () => {
    const { id } = await buildTeam(world.db);
    await world.db.query(
      `ALTER TABLE whitelist ADD CONSTRAINT ck_surprise CHECK (phone_number <> '+14155552671')`,
    );
    try {
      logged.length = 0;
      const response = await supertest(world.app.getHttpServer())
        .post(`/api/admin/teams/${id}/whitelist`)
        .set({ authorization: bearer })
        .send({ phoneNumbers: ['+14155552671'] });
      expect([response.status, response.body]).toEqual([500, { error: 'Internal server error' }]);
    } finally {
      await world.db.query('ALTER TABLE whitelist DROP CONSTRAINT ck_surprise');
    }
    const text = logged.join('\n');
    expect(text).toContain('POST /api/admin/teams/:teamId/whitelist: QueryFailedError 23514 ck_surprise');
    expect(text).not.toContain('4155552671');
    expect(text).not.toContain(OPERATOR_TOKEN);
  });
});
