import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { basic, STAFF } from './staff-client.js';

const PAGES = [
  '/admin',
  '/admin/numbers',
  '/admin/do-not-call',
  '/admin/calls/00000000-0000-4000-8000-000000000000',
  '/admin/queues',
  '/admin/queues/',
  '/admin/queues/api/queues',
  '/admin/queues/static/css/none.css',
];
const OTHER_SPELLINGS = ['/ADMIN', '/admin/', '/Admin/Queues', '/admin/queues//api/queues', '/admin//queues'];

describe('with a password', () => {
  let world: World;
  let app: NestExpressApplication;
  beforeAll(async () => {
    world = await createWorld(STAFF);
  });
  afterAll(() => world.close());
  // An API of its own for each test: failures count by address, and all tests come from one.
  beforeEach(async () => {
    app = await world.startApi();
  });

  const http = () => supertest(app.getHttpServer());

  test.each(PAGES)('%s asks for it, and shows nothing before', async (page) => {
    for (const headers of [{}, basic('operator', 'wrong'), basic('admin'), { Authorization: 'Bearer x' }]) {
      const answer = await http().get(page).set(headers).expect(401);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="Outdial operations", charset="UTF-8"');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test.each(OTHER_SPELLINGS)('%s shows no more than any other address', async (page) => {
    const answer = await http().get(page);
    expect([401, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('__UI_CONFIG__');
  });

  test('user and password are compared exactly', async () => {
    const { bullBoardUser: user, bullBoardPassword: password } = STAFF;
    const wrong = [
      ['', ''],
      ['', password],
      [user, ''],
      [user, `${password} `],
      [user, password.toUpperCase()],
      [`${user}:`, password],
      [`${user}:${password}`, ''],
    ];
    for (const [name, secret] of wrong) await http().get('/admin').set(basic(name, secret)).expect(401);
  });

  test.each(['Basic', 'Basic ', 'Basic %%%', `Basic ${'A'.repeat(5_000)}`, 'Digest x', ':'])(
    'an authorization like %j is none',
    async (header) => {
      await http().get('/admin').set('Authorization', header).expect(401);
    },
  );

  test('lets in whoever knows it', async () => {
    await http().get('/admin').set(basic()).expect(200);
    await http().get('/admin/queues').set(basic()).expect(200);
    await http().get('/admin/numbers').set(basic()).expect(200);
  });

  test('tells no shared cache, no other site and no frame of it', async () => {
    for (const page of ['/admin', '/admin/queues']) {
      const { headers } = await http().get(page).set(basic());
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
    const { headers } = await http().get('/admin').set(basic());
    expect(headers['content-security-policy']).not.toMatch(/script|unsafe/);
    expect(headers['set-cookie']?.[0]).toMatch(/; Path=\/admin; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    const https = await http().get('/admin').set(basic()).set('X-Forwarded-Proto', 'https');
    expect(https.headers['set-cookie']?.[0]).toMatch(/; Secure$/);
  });

  test('wrong passwords are limited, the right one included until the limit is over', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1)
      await http()
        .get('/admin')
        .set(basic('operator', `guess-${attempt}`))
        .expect(401);
    const refused = await http()
      .get('/admin/queues/api/queues')
      .set(basic('operator', 'one-more'))
      .expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(6);
    await http().get('/admin').set(basic()).expect(429);
    // Not sending a password is not guessing one.
    await http().get('/admin').expect(401);
  });

  test('a browser that is known here is not shut out by what others try from its address', async () => {
    const first = await http().get('/admin').set(basic()).expect(200);
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    for (let attempt = 0; attempt < 11; attempt += 1)
      await http().get('/admin').set(basic('operator', 'guess'));
    await http().get('/admin').set(basic()).expect(429);
    await http().get('/admin').set(basic()).set('Cookie', cookie).expect(200);
    await http().get('/admin/queues/api/queues').set(basic()).set('Cookie', `other=1; ${cookie}`).expect(200);
    // The cookie lets nobody in by itself, and cannot be made up.
    await http().get('/admin').set('Cookie', cookie).expect(401);
    const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    await http().get('/admin').set(basic()).set('Cookie', forged).expect(429);
    // Its holder is limited, too.
    for (let attempt = 0; attempt < 10; attempt += 1)
      await http().get('/admin').set(basic('operator', 'guess')).set('Cookie', cookie).expect(401);
    await http().get('/admin').set(basic()).set('Cookie', cookie).expect(429);
  });
});

describe('without a password', () => {
  let world: World;
  let app: NestExpressApplication;
  beforeAll(async () => {
    world = await createWorld();
    app = await world.startApi();
  });
  afterAll(() => world.close());

  test.each(PAGES)('%s is switched off', async (page) => {
    const http = supertest(app.getHttpServer());
    for (const headers of [{}, basic(), basic('operator', ''), basic('operator', 'undefined')]) {
      const answer = await http.get(page).set(headers).expect(404);
      expect(answer.text).toContain('BULL_BOARD_PASSWORD');
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
  });
});
