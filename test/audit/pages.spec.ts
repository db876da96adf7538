import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { SESSION_COOKIE } from '../../src/dashboard/frame/page-access.service.js';
import { SessionsService } from '../../src/people/sessions.service.js';
import { textOf } from '../operations/operations-client.js';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildApiKey, buildTeam, insertRow } from '../support/builders.js';

let world: World;
let app: NestExpressApplication;
let team: string;
let other: string;
const cookies: Record<string, string> = {};

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  team = (await buildTeam(world.db, { name: 'First team' })).id;
  other = (await buildTeam(world.db, { name: 'Other team' })).id;
  const sessions = app.get(SessionsService, { strict: false });
  for (const [name, operator, role] of [
    ['operator', true, null],
    ['admin', false, 'admin'],
    ['manager', false, 'manager'],
  ] as const) {
    const { id } = await insertRow<{ id: string }>(world.db, 'users', {
      email: `${name}@example.com`,
      operator,
    });
    if (role !== null) await insertRow(world.db, 'memberships', { user_id: id, team_id: team, role });
    cookies[name] = `${SESSION_COOKIE}=${await sessions.begin(id)}`;
  }
  await operator('post', `/api/admin/teams/${team}/pause`).expect(201);
  await operator('patch', `/api/admin/teams/${team}`).send({ name: '<b>Renamed</b>' }).expect(200);
  await operator('patch', `/api/admin/teams/${other}`).send({ name: 'Of another team' }).expect(200);
});
afterAll(() => world.close());

const operator = (method: 'get' | 'post' | 'patch', path: string) =>
  supertest(app.getHttpServer())[method](path).set('Authorization', `Bearer ${OPERATOR_TOKEN}`);
const get = (who: string, path: string) =>
  supertest(app.getHttpServer())
    .get(path)
    .set('Cookie', cookies[who] ?? '');

test('a team’s admin sees who changed what in the team, and nothing of other teams', async () => {
  const { status, text } = await get('admin', `/t/${team}/audit`);
  expect(status).toBe(200);
  const said = textOf(text).replace(/\s+/g, ' ');
  expect(said).toMatch(/The operator token 127\.0\.0\.1 Team changed/);
  expect(said).toContain('name: First team → <b>Renamed</b>');
  expect(said).toContain('paused: false → true');
  expect(text).not.toContain('<b>Renamed');
  expect(said).not.toContain('Of another team');
  // Who was made a member is named.
  expect(said).toContain('admin@example.com');
});

test('a manager may not read it, nor an admin another team’s or the platform’s', async () => {
  await get('manager', `/t/${team}/audit`).expect(403);
  await get('manager', `/t/${team}/audit/download`).expect(403);
  await get('admin', `/t/${other}/audit`).expect(404);
  await get('admin', '/platform/audit').expect(403);
  expect(textOf((await get('operator', '/platform/audit').expect(200)).text)).toContain('Of another team');
});

test('filters are in the address, and a refused one is named', async () => {
  const rowsOf = async (query: string) =>
    ((await get('operator', `/platform/audit?${query}`)).text.match(/id="row-/g) ?? []).length;
  expect(await rowsOf(`teamId=${team}&action=team.paused`)).toBe(1);
  expect(await rowsOf(`teamId=${team}&action=team`)).toBe(3);
  expect(await rowsOf('actor=token')).toBe(3);
  expect(await rowsOf(`target=${other}`)).toBe(2);
  expect(await rowsOf('from=2001-01-01&to=2001-01-02')).toBe(0);
  const refused = await get('operator', '/platform/audit?from=yesterday');
  expect(refused.status).toBe(400);
  expect(textOf(refused.text)).toContain('from must be a day');
});

test('long lists have pages, and the file has all rows and is itself in the log', async () => {
  for (let n = 0; n < 60; n += 1) await buildApiKey(world.db, other, { name: `=key ${n}` });
  const first = await get('operator', `/platform/audit?teamId=${other}`);
  const [, next = ''] = /<a href="([^"]*cursor=[^"]*)"/.exec(first.text) ?? [];
  const second = await get('operator', next.replaceAll('&amp;', '&'));
  const ids = (text: string) => [...text.matchAll(/id="row-(\d+)"/g)].map(([, id]) => Number(id));
  const all = [...ids(first.text), ...ids(second.text)];
  expect(all).toEqual([...new Set(all)].sort((a, b) => b - a));
  expect(all).toHaveLength(62);
  const file = await get('operator', `/platform/audit/download?teamId=${other}`).expect(200);
  expect(file.text.trim().split('\r\n')).toHaveLength(63);
  const [row] = await world.db.query<object[]>(
    'SELECT action, actor_name FROM audit_log ORDER BY id DESC LIMIT 1',
  );
  expect(row).toEqual({ action: 'audit.exported', actor_name: 'operator@example.com' });
});

test('the operator API lists the same rows', async () => {
  const { body } = (await operator('get', `/api/admin/audit?teamId=${team}&action=team.changed`).expect(
    200,
  )) as {
    body: { items: object[] };
  };
  expect(body.items).toMatchObject([
    {
      actorKind: 'token',
      address: '127.0.0.1',
      teamId: team,
      targetId: team,
      before: { name: 'First team' },
      after: { name: '<b>Renamed</b>' },
    },
  ]);
  await operator('get', '/api/admin/audit?teamId=x').expect(400);
});

test.each(['%00', 'x', '%F0%9F%98%80'])('an export of %s, which is no id, is not found', async (id) => {
  const base = `/api/admin/teams/${team}`;
  await operator('get', `${base}/campaigns/${id}/results`).expect(404);
  await operator('get', `${base}/contacts/${id}/export`).expect(404);
});
