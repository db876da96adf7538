import { randomUUID } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import {
  buildAgent,
  buildCall,
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildImport,
  buildTeam,
} from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { textOf } from '../operations/operations-client.js';
import { PagesClient } from './pages-client.js';

const ADA = '+14155550142';
const GRACE = '+493012345678';

let world: World;
let app: NestExpressApplication;
let viewer: PagesClient;
let operator: PagesClient;
let team: string;
let other: string;
let ada: string;
let grace: string;
let agent: string;
let campaign: string;
let call: string;
let enrollment: string;
let importId: string;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  const { db } = world;
  ({ id: team } = await buildTeam(db, { name: 'Northwind', default_country: 'US' }));
  ({ id: other } = await buildTeam(db, { name: 'Southgate' }));
  ({ id: ada } = await buildContact(db, team, {
    phone_number: ADA,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    external_id: 'crm-7',
  }));
  await buildContact(db, other, { phone_number: ADA, name: 'Adele' });
  ({ id: grace } = await buildContact(db, other, { phone_number: GRACE, name: 'Grace Hopper' }));
  ({ id: agent } = await buildAgent(db, team, { name: 'Reminder' }));
  const built = await buildCampaign(db, team, { name: 'Reminders of spring' });
  campaign = built.id;
  ({ id: call } = await buildCall(db, {
    team_id: team,
    agent_id: agent,
    contact_id: ada,
    phone_number: ADA,
  }));
  ({ id: enrollment } = await buildEnrollment(db, {
    team_id: team,
    campaign_id: campaign,
    contact_id: ada,
    version_id: built.current_version_id,
  }));
  ({ id: importId } = await buildImport(db, team));
  viewer = new PagesClient(app, (await signedIn(db, { teamId: team, role: 'viewer' })).cookie);
  operator = new PagesClient(app, (await signedIn(db, { operator: true })).cookie);
});
afterAll(() => world.close());

/** Where the search of a team leads at once. */
async function leadsTo(typed: string, pages = viewer, base = `/t/${team}`): Promise<string> {
  const answer = await pages.get(`${base}/search?${new URLSearchParams({ q: typed }).toString()}`);
  if (answer.status !== 303) throw new Error(`${answer.status} ${textOf(answer.text)}`);
  return answer.headers.location as string;
}

async function shown(typed: string, pages = viewer, base = `/t/${team}`): Promise<string> {
  return textOf(await pages.page(`${base}/search?${new URLSearchParams({ q: typed }).toString()}`));
}

const personPage = (id: string, contactId: string) => `/t/${id}/contacts/${contactId}`;
const numberPage = (id: string, number: string) =>
  `/t/${id}/numbers?phoneNumber=${encodeURIComponent(number)}`;

test.each([
  ['in E.164', ADA],
  ['with 00', '0014155550142'.replace(/^00/, '+')],
  ['as people of the country write it', '(415) 555-0142'],
  ['by its last digits', '55-0142'],
])('a number is found %s', async (_, typed) => {
  expect(await leadsTo(typed)).toBe(personPage(team, ada));
});

test('a number of a team without a country is found by its last digits, with the zero that people write before it', async () => {
  expect(await leadsTo('030 12345678', operator, `/t/${other}`)).toBe(personPage(other, grace));
  expect(await shown('5678', operator, `/t/${other}`)).toContain('Nothing was found');
});

test.each([
  ['the beginning of a name in any case', 'ada l'],
  ['an e-mail address', 'Ada@Example.com'],
  ['an external id', 'crm-7'],
  ['the id of a contact', () => ada.toUpperCase()],
])('a person is found by %s', async (_, typed) => {
  expect(await leadsTo(typeof typed === 'string' ? typed : typed())).toBe(personPage(team, ada));
});

test('things are found by their ids and names', async () => {
  expect(await leadsTo(call)).toBe(`/t/${team}/calls/${call}`);
  expect(await leadsTo(campaign)).toBe(`/t/${team}/campaigns/${campaign}`);
  expect(await leadsTo(enrollment)).toBe(`/t/${team}/campaigns/${campaign}/enrollments/${enrollment}`);
  expect(await leadsTo(agent)).toBe(`/t/${team}/agents/${agent}`);
  expect(await leadsTo('reminders of')).toBe(`/t/${team}/campaigns/${campaign}`);
  expect(await shown(importId)).toContain('Import of 2 rows');
  const both = await shown('Reminder');
  expect(both).toContain('Campaigns Reminders of spring');
  expect(both).toContain('Agents Reminder');
});

test('a number that nobody has leads to what holds for it', async () => {
  expect(await shown('+14155559999')).toContain('Nobody with the number +14155559999 is stored');
  const number = '+14155558888';
  await world.db.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [team, number]);
  expect(await leadsTo('415 555 8888')).toBe(numberPage(team, number));
});

test('a team finds nothing of another team; an operator finds it across teams', async () => {
  expect(await shown('Grace')).toContain('Nothing was found');
  expect(await leadsTo('Grace', operator, '/platform')).toBe(personPage(other, grace));
  const both = await shown(ADA, operator, '/platform');
  expect(both).toContain('Ada Lovelace');
  expect(both).toContain('Southgate');
  expect((await viewer.get('/platform/search?q=Grace')).status).toBe(403);
  expect((await viewer.get(`/t/${other}/search?q=Grace`)).status).toBe(404);
});

test('an erased person is not found by digits of the erased number, and has no page', async () => {
  const id = randomUUID();
  const erased = { id, phone_number: `erased:${id}`, erased_at: new Date() };
  await buildContact(world.db, team, erased);
  const digits = (/\d{5,}/.exec(id)?.[0] ?? '99999').slice(-5);
  expect(await shown(digits)).toContain('Nothing was found');
  expect(await shown(id)).toContain('People');
});

test('at most 20 of a kind are shown, and text is not markup', async () => {
  for (let n = 0; n < 22; n += 1)
    await buildContact(world.db, team, { name: `Zoe <b>${n}</b>`, phone_number: `+1212555${1000 + n}` });
  const page = await viewer.page(`/t/${team}/search?q=zoe`);
  expect(page.slice(page.indexOf('<main')).match(/<li>/g)).toHaveLength(20);
  expect(page).toContain('The first 20');
  expect(page).not.toContain('<b>1');
  expect((await viewer.get(`/t/${team}/search?q=${encodeURIComponent('%_\\')}`)).status).toBe(200);
  expect((await viewer.get(`/t/${team}/search?q=a%00b`)).status).toBe(200);
});
