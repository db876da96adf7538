import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { buildTeam } from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { basic, PAGES_LOGIN } from './operations-client.js';

const PAGES = [
  '/admin/queues',
  '/admin/queues/',
  '/admin/queues/api/queues',
  '/admin/queues/static/css/none.css',
];
const OTHER_SPELLINGS = ['/Admin/Queues', '/admin/queues//api/queues', '/admin//queues'];

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
    for (const [name, secret] of wrong)
      await http().get('/admin/queues').set(basic(name, secret)).expect(401);
  });

  test.each(['Basic', 'Basic ', 'Basic %%%', `Basic ${'A'.repeat(5_000)}`, 'Digest x', ':'])(
    'an authorization like %j is refused',
    async (header) => {
      await http().get('/admin/queues').set('Authorization', header).expect(401);
    },
  );

  test('admits a client that sends it', async () => {
    await http().get('/admin/queues').set(basic()).expect(200);
    await http().get('/admin/queues/api/queues').set(basic()).expect(200);
  });

  test('forbids shared caches, other sites and frames, and sets no cookie', async () => {
    const { headers } = await http().get('/admin/queues').set(basic());
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('admits the session of an operator, and no other person’s', async () => {
    const { id: teamId } = await buildTeam(world.db);
    const operator = await signedIn(world.db, { operator: true });
    const admin = await signedIn(world.db, { teamId, role: 'admin' });
    for (const page of PAGES.slice(0, 3)) {
      await http().get(page).set('Cookie', operator.cookie).expect(200);
      await http().get(page).set('Cookie', admin.cookie).expect(401);
      await http().get(page).set('Cookie', 'outdial_session=none').expect(401);
    }
    await world.db.query('DELETE FROM sessions WHERE user_id = $1', [operator.userId]);
    await http().get('/admin/queues').set('Cookie', operator.cookie).expect(401);
  });

  test.each([{ Origin: 'https://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }])(
    'accepts no change from another site: %j',
    async (headers) => {
      const { cookie } = await signedIn(world.db, { operator: true });
      for (const credentials of [basic(), { Cookie: cookie }]) {
        const change = () => http().put('/admin/queues/api/queues/calls/pause').set(credentials);
        const refused = await change().set(headers).expect(403);
        expect(refused.text).toContain('another site');
        // The board is read-only by default.
        await change().set('Sec-Fetch-Site', 'same-origin').expect(405);
      }
    },
  );

  const guess = (page = '/admin/queues') => http().get(page).set(basic('operator', 'guess'));

  test('wrong passwords are limited, and the right one is always accepted', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await guess().expect(401);
    const refused = await guess('/admin/queues/api/queues').expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(6);
    // Behind a proxy all clients have this address.
    await http().get('/admin/queues').set(basic()).expect(200);
    await http().get('/admin/queues/api/queues').set(basic()).expect(200);
    // And that spends no more than it grants.
    await guess().expect(429);
    // Not sending a password is not guessing one.
    await http().get('/admin/queues').expect(401);
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
      return (await supertest(app.getHttpServer()).get('/admin/queues').set(headers)).status;
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

  test('the session of an operator suffices', async () => {
    const { cookie } = await signedIn(world.db, { operator: true });
    await supertest(app.getHttpServer()).get('/admin/queues').set('Cookie', cookie).expect(200);
  });

  test.each(PAGES)('%s opens for no password', async (page) => {
    const http = supertest(app.getHttpServer());
    for (const headers of [{}, basic(), basic('operator', ''), basic('operator', 'undefined')]) {
      const answer = await http.get(page).set(headers).expect(404);
      expect(answer.text).toContain('BULL_BOARD_PASSWORD');
      expect(answer.text).toContain('/login');
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
  });
});
