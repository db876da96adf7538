import supertest, { type Response } from 'supertest';
import { buildTeam } from '../support/builders.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { createOperatorWorld, type OperatorWorld } from './operator-api.js';

let world: OperatorWorld;
let proxy: TcpProxy;

beforeEach(async () => {
  world = await createOperatorWorld({
    proxy: async (url) => {
      proxy = await startTcpProxy(url);
      return proxy.url;
    },
  });
});
afterEach(async () => {
  await world.close();
  await proxy.close();
});

function expectUnavailable(response: Response): void {
  expect([response.status, response.body]).toEqual([503, { error: 'Service unavailable, try again later' }]);
  expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

test('requests are 503 while Postgres is gone, and succeed after it is back', async () => {
  const { api } = world;
  expect((await api.get('/teams')).status).toBe(200);
  await proxy.cut();
  for (const attempt of [api.get('/teams'), api.post('/teams', { name: 'A' }), api.post('/pause')]) {
    expectUnavailable(await attempt);
  }
  const stranger = await supertest(world.app.getHttpServer()).get('/api/admin/teams');
  expect(stranger.status).toBe(401);
  await proxy.restore();
  expect((await api.post('/teams', { name: 'A' })).status).toBe(201);
});

test('requests are 503 in limited time while Postgres hangs, and no hanging connection is left', async () => {
  const { api } = world;
  expect((await api.get('/teams')).status).toBe(200);
  proxy.freeze();
  const started = Date.now();
  const answers = await Promise.all([
    api.get('/teams'),
    api.post('/teams', { name: 'A' }),
    api.get('/teams'),
  ]);
  expect(Date.now() - started).toBeLessThan(20_000);
  for (const answer of answers) expectUnavailable(answer);
  await proxy.restore();
  const names = await Promise.all(Array.from({ length: 10 }, () => api.get('/teams')));
  expect(names.map((answer) => answer.status)).toEqual(Array(10).fill(200));
});

test('a connection lost during a transaction is 503, and stores nothing', async () => {
  const { id } = await buildTeam(world.db);
  const holder = world.db.createQueryRunner();
  await holder.startTransaction();
  await holder.query('SELECT pg_advisory_xact_lock(team_lock_key($1))', [id]);
  const patch = world.api
    .patch(`/teams/${id}`, { name: 'New', monthlyCallLimit: 5 })
    .then((response) => response);
  for (let waiting = 0; waiting === 0;) {
    const [row] = await world.db.query<{ count: number }[]>(
      `SELECT count(pg_terminate_backend(pid))::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    waiting = row?.count ?? 0;
  }
  expectUnavailable(await patch);
  await holder.rollbackTransaction();
  await holder.release();
  expect((await world.api.get(`/teams/${id}`)).body).toMatchObject({ name: 'Team', monthlyCallLimit: null });
});

test('a held lock is 503 after three seconds', async () => {
  const { id } = await buildTeam(world.db);
  const holder = world.db.createQueryRunner();
  await holder.startTransaction();
  await holder.query('SELECT pg_advisory_xact_lock(team_lock_key($1))', [id]);
  const started = Date.now();
  expectUnavailable(await world.api.patch(`/teams/${id}`, { monthlyCallLimit: 5 }));
  expect(Date.now() - started).toBeGreaterThan(2_500);
  expect(Date.now() - started).toBeLessThan(15_000);
  await holder.rollbackTransaction();
  await holder.release();
  expect((await world.api.patch(`/teams/${id}`, { monthlyCallLimit: 5 })).status).toBe(200);
});
