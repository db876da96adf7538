import { type AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { Get, Post } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { TeamPages } from '../../src/dashboard/frame/page.decorator.js';
import { Needs } from '../../src/dashboard/frame/page-need.js';
import { mayDo, PERMISSIONS, type Permission, type Role, TEAM_ROLES } from '../../src/domain/permissions.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam, nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';
import { hiddenFields, OperationsClient } from '../operations/operations-client.js';
import { type PageRoute, pageRoutesOf, pageRoutesOfApp, routesOfRouter } from './page-routes.js';

/** What a person can be to the team of an address. */
const PEOPLE = ['signed out', ...TEAM_ROLES, 'other', 'operator'] as const;
type Person = (typeof PEOPLE)[number];

/** Addresses that are not of the dashboard, or that anybody may open. */
const OPEN = /^\w+ \/(?:api|docs|health|metrics|assets|admin)(?:[/.]|$)/;

const NUMBER_CHANGES = [
  'POST /t/:teamId/getting-started/number',
  'POST /t/:teamId/numbers',
  'POST /t/:teamId/numbers/:numberId',
];

const WHITELIST = '/t/:teamId/whitelist';

let world: World;
let app: NestExpressApplication;
let origin: string;
let team: string;
const cookies = new Map<Person, string>();
const tokens = new Map<Person, string>();

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  ({ id: team } = await buildTeam(world.db, { name: 'Walked' }));
  const { id: another } = await buildTeam(world.db, { name: 'Another' });
  const rights = { 'signed out': null, other: { teamId: another }, operator: { operator: true } };
  for (const person of PEOPLE) {
    const who =
      person in rights ? rights[person as keyof typeof rights] : { teamId: team, role: person as 'viewer' };
    if (who === null) continue;
    const { cookie } = await signedIn(world.db, who);
    const page = person === 'operator' ? '/platform' : `/t/${person === 'other' ? another : team}`;
    const shown = await new OperationsClient(app, cookie).page(page);
    cookies.set(person, cookie);
    tokens.set(person, hiddenFields(shown, '/logout').formToken ?? '');
  }
});
afterAll(() => world.close());

/** The role that the person has on a page. */
function roleOn({ path }: PageRoute, person: Person): Role | null {
  if (person === 'operator') return 'operator';
  if (!path.startsWith('/t/:teamId') || person === 'signed out' || person === 'other') return null;
  return person;
}

type Answer = 'sign-in' | 'not found' | 'refused' | 'admitted';

/** The answer that the table of permissions demands. */
function demanded(route: PageRoute, person: Person): Answer {
  if (person === 'signed out') return 'sign-in';
  const role = roleOn(route, person);
  if (route.path.startsWith('/t/:teamId') && role === null) return 'not found';
  return mayDo(role, route.need as Permission) ? 'admitted' : 'refused';
}

/** Sends the person's request, with ids of nothing and a form of this site. */
async function answered({ method, path }: PageRoute, person: Person): Promise<Answer> {
  const address = path.replace(':teamId', team).replace(/:\w+/g, () => randomUUID());
  const answer = await fetch(origin + address, {
    method,
    redirect: 'manual',
    headers: { cookie: cookies.get(person) ?? '', 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'POST' && { body: new URLSearchParams({ formToken: tokens.get(person) ?? '' }) }),
  });
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
  const text = isPage ? await answer.text() : '';
  // Streams do not end by themselves.
  if (!isPage) await answer.body?.cancel();
  const location = answer.headers.get('location') ?? '';
  if (answer.status === 303 && /^\/login(?:\?|$)/.test(location)) return 'sign-in';
  if (answer.status === 403) return 'refused';
  return answer.status === 404 && text.includes('Page not found') ? 'not found' : 'admitted';
}

const nameOf = ({ method, path }: PageRoute) => `${method} ${path}`;

/** Routes that need a role, without the one of unknown addresses. */
const guarded = () => pageRoutesOfApp(app).filter(({ need }) => need !== undefined && need in PERMISSIONS);

test('every route of a page declares what it needs', () => {
  const routes = pageRoutesOfApp(app);
  expect(routes.length).toBeGreaterThan(35);
  expect(routes.filter(({ need }) => need === undefined).map(nameOf)).toEqual([]);
});

test('a route that declares nothing is found', () => {
  @TeamPages('planted')
  class PlantedController {
    @Get()
    @Needs('read')
    declared(): void {}

    @Post(['', ':id'])
    forgotten(): void {}
  }
  const routes = pageRoutesOf([PlantedController]);
  expect(routes.filter(({ need }) => need === undefined).map(nameOf)).toEqual([
    'POST /t/:teamId/planted',
    'POST /t/:teamId/planted/:id',
  ]);
});

test('every route of the router is one of a page, or is known to be open', () => {
  const pages = new Set(pageRoutesOfApp(app).map(nameOf));
  const routes = routesOfRouter(app);
  expect(routes.filter((route) => pages.has(route)).length).toBe(pages.size);
  expect(routes.filter((route) => !pages.has(route) && !OPEN.test(route))).toEqual([]);
});

test('pages of the platform need a right of operators, and pages of a team one of its roles', () => {
  for (const { method, path, need } of guarded()) {
    const least = PERMISSIONS[need as Permission];
    // Lists that a team has, too, declare the team's right; on the platform, only operators have a role.
    // A number is added and changed by operators alone, also on a team's pages.
    if (NUMBER_CHANGES.includes(`${method} ${path}`)) expect(need).toBe('numbers.change');
    // So is a number of the whitelist, as by the API.
    else if (path.startsWith(WHITELIST)) expect(need).toBe('teams');
    else if (path.startsWith('/t/:teamId')) expect([path, least]).not.toEqual([path, 'operator']);
  }
});

test.each(PEOPLE)('%s is admitted to exactly the routes of the table', async (person) => {
  const table: Record<string, Answer> = {};
  const found: typeof table = {};
  for (const route of guarded()) {
    table[nameOf(route)] = demanded(route, person);
    found[nameOf(route)] = await answered(route, person);
  }
  expect(found).toEqual(table);
  expect(Object.keys(table).length).toBeGreaterThan(35);
});

test('a page without a session leads to the sign-in and back to it, also at unknown addresses', async () => {
  const client = new OperationsClient(app);
  for (const path of [
    `/t/${team}?timezone=UTC`,
    `/t/${team}/nothing`,
    '/account/second-factor',
    '/t/x/y/z',
    '/t',
    '/platform/nothing/at/all',
    '/platform?x=//evil.example',
  ]) {
    const { status, headers } = await client.get(path);
    expect([path, status, headers.location]).toEqual([
      path,
      303,
      `/login?${new URLSearchParams({ back: path }).toString()}`,
    ]);
    expect(headers['cache-control']).toBe('no-store');
  }
});

test('a session that has ended, and a person who has left the team, see nothing more', async () => {
  const { cookie, userId } = await signedIn(world.db, { teamId: team, role: 'viewer' });
  const client = new OperationsClient(app, cookie);
  await client.page(`/t/${team}`);
  await world.db.query('DELETE FROM memberships WHERE user_id = $1', [userId]);
  await client.get(`/t/${team}`).expect(404);
  await client.get('/platform').expect(403);
  await world.db.query(`UPDATE sessions SET last_seen_at = now() - interval '13 hours' WHERE user_id = $1`, [
    userId,
  ]);
  await client.get(`/t/${team}`).expect(303);
});

test('old addresses lead to those of today, for everybody', async () => {
  const client = new OperationsClient(app);
  for (const [old, today] of [
    ['/admin', '/platform'],
    [`/admin/?teamId=${team}&timezone=UTC`, `/t/${team}?timezone=UTC`],
    ['/admin/calls?status=queued', '/platform/calls?status=queued'],
    [`/admin/teams/${team}/campaigns/x`, `/t/${team}/campaigns/x`],
  ] as const) {
    const { status, headers } = await client.get(old);
    expect([status, headers.location]).toEqual([308, today]);
  }
  for (const path of ['/admin/nothing', '/admin//evil.example', '/admin/teams//evil.example'])
    await client.get(path).expect(404);
});

test('the platform leads an operator from a call to its page, with the rest of the address', async () => {
  const caller = await buildCaller(world.db);
  const { id } = await buildStoredCall(world.db, caller, nextNumber(), { status: 'canceled' });
  const operator = new OperationsClient(app, cookies.get('operator'));
  for (const rest of ['', '?timezone=UTC', '/resolve?outcome=busy']) {
    const { status, headers } = await operator.get(`/platform/calls/${id}${rest}`);
    expect([status, headers.location]).toEqual([302, `/t/${caller.teamId}/calls/${id}${rest}`]);
  }
  await operator.page(`/t/${caller.teamId}/calls/${id}`);
  for (const path of [randomUUID(), 'x', `${randomUUID()}/resolve`])
    await operator.get(`/platform/calls/${path}`).expect(404);
});
