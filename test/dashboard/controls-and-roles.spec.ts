import { type NestExpressApplication } from '@nestjs/platform-express';
import { mayDo, PERMISSIONS, type Permission, TEAM_ROLES } from '../../src/domain/permissions.js';
import { createWorld, type World } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { OperationsClient } from '../operations/operations-client.js';
import { addressesOf } from './every-page.js';
import { type PageRoute, pageRoutesOfApp } from './page-routes.js';

let world: World;
let app: NestExpressApplication;
let caller: Caller;
let addresses: string[];

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  caller = await buildCaller(world.db, { name: 'Clinics' });
  const all = await addressesOf(world.db, caller);
  addresses = Object.values(all).filter((path) => path.startsWith('/t/'));
});
afterAll(() => world.close());

/** The route of an address: the one with the fewest parameters. */
function routeOf(method: string, address: string): PageRoute | undefined {
  const [path = ''] = address.split('?');
  return pageRoutesOfApp(app)
    .filter((route) => route.method === method && !route.path.includes('*'))
    .filter((route) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .sort((a, b) => a.path.split(':').length - b.path.split(':').length)[0];
}

/** What a page offers: its links, and the addresses of its forms. */
function offersOf(page: string): [method: string, address: string][] {
  const links = [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to = '']) => ['GET', to] as const);
  const forms = [...page.matchAll(/<form [^>]*method="(get|post)" action="([^"]*)"/g)].map(
    ([, method = '', to = '']) => [method.toUpperCase(), to] as const,
  );
  return [...links, ...forms].map(([method, to]) => [method, to.replaceAll('&amp;', '&')]);
}

/** The routes that the pages offer a person, by the right that each needs. */
async function offeredTo(role: (typeof TEAM_ROLES)[number]): Promise<Map<string, Permission>> {
  const pages = await OperationsClient.signedIn(app, { teamId: caller.teamId, role });
  const offered = new Map<string, Permission>();
  for (const address of addresses) {
    const { status, text } = await pages.get(address);
    if (status === 403) continue;
    for (const [method, to] of offersOf(text)) {
      const route = routeOf(method, to);
      if (route?.need !== undefined && route.need in PERMISSIONS)
        offered.set(`${method} ${route.path}`, route.need as Permission);
    }
  }
  return offered;
}

test.each(TEAM_ROLES)('the pages offer a %s only what the role may do', async (role) => {
  const offered = await offeredTo(role);
  expect(offered.size).toBeGreaterThan(8);
  expect([...offered].filter(([, need]) => !mayDo(role, need))).toEqual([]);
});

test('the pages offer a manager the changes that a viewer is not offered', async () => {
  const changes = (offered: Map<string, Permission>) =>
    [...offered].flatMap(([route, need]) => (need === 'read' ? [] : route));
  expect(changes(await offeredTo('viewer'))).toEqual([]);
  expect(changes(await offeredTo('manager'))).toEqual(
    expect.arrayContaining([
      'POST /t/:teamId/pause',
      'POST /t/:teamId/stop',
      'POST /t/:teamId/calls/:id/cancel',
      'GET /t/:teamId/calls/:id/resolve',
      'GET /t/:teamId/calls/cancel',
      'GET /t/:teamId/contacts/new',
      'POST /t/:teamId/contacts/new',
      'GET /t/:teamId/contacts/:contactId/edit',
      'POST /t/:teamId/contacts/:contactId/edit',
      'GET /t/:teamId/contacts/:contactId/erase',
      'POST /t/:teamId/campaigns/:campaignId/pause',
      'POST /t/:teamId/do-not-call',
      'POST /t/:teamId/do-not-call/remove',
    ]),
  );
});
