import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { basic, PAGES_LOGIN } from './operations-client.js';

const PAGES = [
  '/admin',
  '/admin/numbers',
  '/admin/do-not-call',
  '/admin/campaigns',
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
  let tests = 0;
  beforeAll(async () => {
    world = await createWorld({ ...PAGES_LOGIN, trustedProxies: '127.0.0.1' });
    app = await world.startApi();
  });
  afterAll(() => world.close());
  // Each test comes from an address of its own: failures are counted by it.
  beforeEach(() => {
    tests += 1;
  });

  const http = () => supertest.agent(app.getHttpServer()).set('X-Forwarded-For', `203.0.113.${tests}`);

  test.each(PAGES)('%s requires it, and shows no content before', async (page) => {
    for (const headers of [{}, basic('operator', 'wrong'), basic('admin'), { Authorization: 'Bearer x' }]) {
      const answer = await http().get(page).set(headers).expect(401);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="Outdial operations", charset="UTF-8"');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test.each(OTHER_SPELLINGS)('%s has the same answer as any other address', async (page) => {
    const answer = await http().get(page);
    expect([401, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('__UI_CONFIG__');
  });

  test('user and password must match exactly', async () => {
    const { bullBoardUser: user, bullBoardPassword: password } = PAGES_LOGIN;
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
    'an authorization like %j is refused',
    async (header) => {
      await http().get('/admin').set('Authorization', header).expect(401);
    },
  );

  test('admits a client that sends it', async () => {
    await http().get('/admin').set(basic()).expect(200);
    await http().get('/admin/queues').set(basic()).expect(200);
    await http().get('/admin/numbers').set(basic()).expect(200);
  });

  test('forbids shared caches, other sites and frames', async () => {
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

  const guess = (page = '/admin') => http().get(page).set(basic('operator', 'guess'));

  test('wrong passwords are limited, and the right one is always accepted', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await guess().expect(401);
    const refused = await guess('/admin/queues/api/queues').expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(6);
    // Behind a proxy all clients have this address.
    await http().get('/admin').set(basic()).expect(200);
    await http().get('/admin/queues/api/queues').set(basic()).expect(200);
    // And that spends no more than it grants.
    await guess().expect(429);
    // Not sending a password is not guessing one.
    await http().get('/admin').expect(401);
  });

  test('the cookie of an earlier visit does not replace the password', async () => {
    const first = await http().get('/admin').set(basic()).expect(200);
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    await http().get('/admin').set('Cookie', cookie).expect(401);
    await http().get('/admin').set(basic()).set('Cookie', `other=1; ${cookie}`).expect(200);
    for (let attempt = 0; attempt < 9; attempt += 1) await guess().set('Cookie', cookie).expect(401);
    await guess().expect(401);
    await guess().set('Cookie', cookie).expect(429);
  });
});

describe('behind proxies', () => {
  let world: World;
  afterEach(() => world.close());

  const start = async (trustedProxies?: string) => {
    world = await createWorld({ ...PAGES_LOGIN, ...(trustedProxies !== undefined && { trustedProxies }) });
    const app = await world.startApi();
    return async (forwardedFor: string, credentials = basic('operator', 'guess')) => {
      const headers = { ...credentials, 'X-Forwarded-For': forwardedFor };
      return (await supertest(app.getHttpServer()).get('/admin').set(headers)).status;
    };
  };

  const spend = async (ask: (from: string) => Promise<number>, from: string) => {
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await ask(from)).toBe(401);
    expect(await ask(from)).toBe(429);
  };

  test('that are trusted, wrong passwords are counted by the client’s address', async () => {
    const ask = await start('127.0.0.0/8, 10.0.0.0/8');
    await spend(ask, '198.51.100.7');
    expect(await ask('198.51.100.8')).toBe(401);
    // What the client itself wrote is in front of what the proxies did.
    expect(await ask('203.0.113.9, 198.51.100.7')).toBe(429);
    expect(await ask('198.51.100.7, 10.1.2.3')).toBe(429);
    expect(await ask('198.51.100.7', basic())).toBe(200);
    await spend(ask, '2001:db8:1:2::1');
    expect(await ask('2001:db8:1:2:ffff::2')).toBe(429);
    expect(await ask('2001:db8:1:3::1')).toBe(401);
  });

  test('that are not trusted, the header has no effect', async () => {
    const ask = await start();
    await spend(ask, '198.51.100.7');
    expect(await ask('198.51.100.8')).toBe(429);
  });

  test('other than the trusted ones, the header has no effect', async () => {
    const ask = await start('192.0.2.0/24');
    await spend(ask, '198.51.100.7');
    expect(await ask('198.51.100.8')).toBe(429);
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
