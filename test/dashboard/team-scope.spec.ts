import { type NestExpressApplication } from '@nestjs/platform-express';
import { buildEverything, type Everything } from '../database/restricted.js';
import { hashOfAllRows } from '../support/all-rows.js';
import { createWorld, type World } from '../support/app.js';
import { buildApiKey, buildImport, insertRow } from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { hiddenFields, OperationsClient, section } from '../operations/operations-client.js';
import { type PageRoute, pageRoutesOfApp } from './page-routes.js';

let world: World;
let app: NestExpressApplication;
let own: Everything;
let foreign: Everything;
let enrollment: string;
let member: string;
let key: string;
let imported: string;
let endpoint: string;
let pages: OperationsClient;
let formToken: string;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  own = await buildEverything(world.db);
  foreign = await buildEverything(world.db);
  await world.db.query(`UPDATE teams SET name = 'Foreign team' WHERE id = $1`, [foreign.team]);
  await world.db.query(`UPDATE contacts SET name = 'Foreign person' WHERE team_id = $1`, [foreign.team]);
  await world.db.query(`UPDATE campaigns SET name = 'Foreign campaign' WHERE team_id = $1`, [foreign.team]);
  await world.db.query(`UPDATE voice_agents SET name = 'Foreign agent' WHERE team_id = $1`, [foreign.team]);
  const [row] = await world.db.query<{ id: string }[]>('SELECT id FROM enrollments WHERE team_id = $1', [
    foreign.team,
  ]);
  enrollment = row?.id ?? '';
  ({ userId: member } = await signedIn(world.db, { teamId: foreign.team }));
  ({ id: key } = await buildApiKey(world.db, foreign.team, { name: 'Foreign key' }));
  ({ id: imported } = await buildImport(world.db, foreign.team, {
    status: 'held',
    leased_until: new Date(Date.now() + 3_600_000),
  }));
  ({ id: endpoint } = await insertRow<{ id: string }>(world.db, 'webhook_endpoints', {
    team_id: foreign.team,
    url: 'https://foreign.example.com',
    secret: 'whsec_x',
  }));
  pages = await OperationsClient.signedIn(app, { teamId: own.team, role: 'admin' });
  formToken = hiddenFields(await pages.page(`/t/${own.team}`), '/logout').formToken ?? '';
});
afterAll(() => world.close());

const FOREIGN = /Foreign/;

/** The address of a route with the ids of the other team's rows, behind the person's own team. */
function withForeignIds({ path }: PageRoute): string {
  const ids: Record<string, string> = {
    teamId: own.team,
    id: path.includes('/calls/') ? foreign.call : foreign.contact,
    callId: foreign.call,
    campaignId: foreign.campaign,
    versionId: foreign.version,
    enrollmentId: enrollment,
    contactId: foreign.contact,
    agentId: foreign.agent,
    userId: member,
    keyId: key,
    importId: imported,
    endpointId: endpoint,
  };
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? foreign.call);
}

const ofRows = () =>
  pageRoutesOfApp(app).filter(
    ({ path, need }) =>
      /^\/t\/:teamId\/.*:/.test(path) &&
      !path.includes('*') &&
      need !== 'public' &&
      // What only operators may do is refused before any row is looked for.
      need !== 'numbers.change',
  );

test('a page of a team finds no row of another team, by whatever id', async () => {
  // The session is not written to meanwhile.
  await world.db.query(`UPDATE sessions SET last_seen_at = now() + interval '1 hour'`);
  // Exports are noted before their rows are looked for.
  const hash = () => hashOfAllRows(world.db, ['audit_log']);
  const before = await hash();
  const routes = ofRows();
  expect(routes.length).toBeGreaterThan(15);
  for (const route of routes) {
    const address = withForeignIds(route);
    const answer =
      route.method === 'GET'
        ? await pages.get(`${address}?outcome=completed&from=${foreign.version}&to=${foreign.version}`)
        : await pages.post(address, {
            formToken,
            outcome: 'completed',
            from: foreign.version,
            role: 'viewer',
          });
    expect([route.method, route.path, answer.status]).toEqual([route.method, route.path, 404]);
    expect(answer.text).not.toMatch(FOREIGN);
  }
  expect(await hash()).toEqual(before);
});

test('a page of a team is not found by the parameter of another team', async () => {
  for (const path of [
    '',
    '/calls',
    '/calls/download',
    '/calls/cancel',
    '/campaigns',
    '/numbers',
    '/do-not-call',
  ]) {
    const address = `/t/${own.team}${path}?teamId=${foreign.team}&status=queued`;
    const answer = await pages.get(address);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.text).not.toMatch(FOREIGN);
    await pages
      .get(`/t/${own.team}${path}?teamId=${own.team}&teamId=${foreign.team}&status=queued`)
      .expect(404);
  }
});

test.each([
  ['agentId', () => foreign.agent],
  ['campaignId', () => foreign.campaign],
])('the list of calls refuses the %s of another team', async (name, id) => {
  for (const path of ['calls', 'calls/download']) {
    const answer = await pages.get(`/t/${own.team}/${path}?${name}=${id()}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`${name} must be the id of`);
    expect(answer.text).not.toMatch(FOREIGN);
  }
});

test('the confirmation of a cancellation counts no call of another team', async () => {
  const address = `/t/${own.team}/calls/cancel?status=queued&agentId=${foreign.agent}`;
  expect((await pages.get(address)).text).not.toMatch(FOREIGN);
  await pages.post(`/t/${own.team}/calls/cancel`, { formToken, status: 'queued', agentId: foreign.agent });
  const [row] = await world.db.query<{ status: string }[]>('SELECT status FROM call_requests WHERE id = $1', [
    foreign.call,
  ]);
  expect(row).toEqual({ status: 'queued' });
});

test('a number of another team has no history, and stays on its Do Not Call list', async () => {
  const number = encodeURIComponent(foreign.contactNumber);
  const page = await pages.page(`/t/${own.team}/numbers?phoneNumber=${number}`);
  expect(section(page, 'about')).toContain('No name known');
  expect(page).not.toMatch(FOREIGN);
  expect(
    section(await pages.page(`/t/${own.team}/do-not-call?phoneNumber=${number}`), 'looked-up'),
  ).toContain('Not on the list');
  await pages
    .post(`/t/${own.team}/do-not-call/remove`, { formToken, phoneNumber: foreign.contactNumber })
    .expect(404);
  const listed = 'SELECT 1 AS one FROM do_not_call WHERE team_id = $1';
  expect(await world.db.query(listed, [foreign.team])).toEqual([{ one: 1 }]);
});

test('the switcher offers the person’s teams alone', async () => {
  for (const path of ['', '/calls', '/campaigns', '/numbers', '/do-not-call'])
    expect(await pages.page(`/t/${own.team}${path}`)).not.toContain(foreign.team);
});

test('a form that leads back to a page of another team shows nothing of it', async () => {
  const back = `/t/${foreign.team}`;
  const answer = await pages.post(`/t/${own.team}/pause`, { formToken, back }).expect(303);
  expect(answer.headers.location).toBe(back);
  await pages.get(back).expect(404);
  await pages.post(`/t/${own.team}/resume`, { formToken }).expect(303);
});
