import { type NestExpressApplication } from '@nestjs/platform-express';
import { type TeamRole } from '../../src/domain/permissions.js';
import { createWorld, type World } from '../support/app.js';
import { buildAgent, buildPhoneNumber, buildTeam, type Row } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { section, textOf, unescapeHtml } from '../operations/operations-client.js';
import { PagesClient } from './pages-client.js';
import supertest from 'supertest';

let world: World;
let app: NestExpressApplication;
let operator: PagesClient;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  operator = new PagesClient(app, (await signedIn(world.db, { operator: true })).cookie);
});
afterAll(() => world.close());

async function teamWith(row: Row = {}): Promise<string> {
  const { id } = await buildTeam(world.db, { name: 'Northwind', ...row });
  return id;
}

/** A team that can call: a number and an agent that calls at any time. */
async function readyTeam(): Promise<string> {
  const { teamId } = await buildCaller(world.db, { name: 'Northwind', default_country: 'US' });
  await world.db.query('DELETE FROM api_keys WHERE team_id = $1', [teamId]);
  return teamId;
}

async function member(teamId: string, role: TeamRole): Promise<PagesClient> {
  return new PagesClient(app, (await signedIn(world.db, { teamId, role })).cookie);
}

const page = (teamId: string, step = '') => `/t/${teamId}/getting-started${step && `/${step}`}`;
const sent = (pages: PagesClient, teamId: string, step: string, fields: Record<string, string> = {}) =>
  pages.submit(`${page(teamId)}?change=place`, page(teamId, step), fields);
const secretIn = (text: string) => /<output data-secret[^>]*>([^<]*)</.exec(text)?.[1] ?? '';

test('a team without calls sees the steps on its first page, and its figures after the first call', async () => {
  const teamId = await readyTeam();
  expect(await operator.page(`/t/${teamId}`)).toContain('<h1>Getting started</h1>');
  const answer = await sent(operator, teamId, 'call', { phoneNumber: '(201) 555-0145' });
  expect(answer.status).toBe(303);
  const [{ id } = { id: '' }] = await world.db.query<{ id: string }[]>(
    'SELECT id FROM call_requests WHERE team_id = $1',
    [teamId],
  );
  expect(answer.headers.location).toBe(`${page(teamId)}?call=${id}#step-call`);
  expect(section(await operator.page(page(teamId)), 'test-call')).toMatch(/\+12015550145 .*Queued/);
  const overview = await operator.page(`/t/${teamId}`);
  expect(overview).toContain('<h1>Northwind</h1>');
  expect(overview).toContain(`href="${page(teamId)}"`);
});

test('the first form sets the country, the time zone and the allowed countries', async () => {
  const teamId = await teamWith();
  const fields = { defaultCountry: 'DE', timezone: 'Europe/Berlin', reach: 'country' };
  expect((await sent(operator, teamId, 'place', fields)).status).toBe(303);
  const team = async () =>
    (
      await world.db.query<Row[]>(
        'SELECT default_country, timezone, allowed_countries FROM teams WHERE id = $1',
        [teamId],
      )
    )[0];
  expect(await team()).toEqual({
    default_country: 'DE',
    timezone: 'Europe/Berlin',
    allowed_countries: ['DE'],
  });
  const shown = await operator.page(page(teamId));
  expect(section(shown, 'step-place')).toContain('People in Germany, Europe/Berlin');
  await sent(operator, teamId, 'place', { ...fields, reach: 'any' });
  expect(await team()).toMatchObject({ allowed_countries: null });
  const refused = await sent(operator, teamId, 'place', { ...fields, timezone: 'Mars/Olympus' });
  expect(refused.status).toBe(400);
  expect(refused.text).toMatch(/id="place-timezone"[^>]*aria-invalid="true"/);
  expect((await sent(operator, teamId, 'place', { timezone: 'Europe/Berlin' })).text).toContain(
    'The country must be chosen',
  );
});

test('the simulator’s number is of the team’s country, and is added with one form', async () => {
  const teamId = await teamWith({ default_country: 'DE' });
  expect((await sent(operator, teamId, 'number')).status).toBe(303);
  const [number] = await world.db.query<{ phone_number: string }[]>(
    'SELECT phone_number FROM phone_numbers WHERE team_id = $1',
    [teamId],
  );
  expect(number?.phone_number).toMatch(/^\+49/);
  const twice = await sent(operator, teamId, 'number', { phoneNumber: number?.phone_number ?? '' });
  expect(twice.status).toBe(400);
  expect(twice.text).toContain('The team already has this phoneNumber');
});

test('an agent is the template until a person changes it, and its faults are named at its fields', async () => {
  const teamId = await teamWith({ timezone: 'Europe/Berlin' });
  const { phone_number: number } = await buildPhoneNumber(world.db, teamId);
  const template = {
    name: 'Reminder',
    firstMessageTemplate: 'Hello',
    promptTemplate: 'Be kind',
    hours: 'weekdays',
  };
  expect((await sent(operator, teamId, 'agent', template)).status).toBe(303);
  const nine = [{ start: '09:00', end: '17:00' }];
  const [agent] = await world.db.query<Row[]>('SELECT * FROM voice_agents WHERE team_id = $1', [teamId]);
  expect(agent).toMatchObject({
    name: 'Reminder',
    timezone: 'Europe/Berlin',
    outbound_phone_number: number,
    calling_hours: { monday: nine, friday: nine },
  });
  expect(agent?.calling_hours).not.toHaveProperty('saturday');
  const refused = await sent(operator, teamId, 'agent', {
    ...template,
    name: '',
    promptTemplate: 'Kept <b>text</b>',
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toMatch(/id="agent-name"[^>]*aria-invalid="true"/);
  expect(unescapeHtml(refused.text)).toContain('Kept <b>text</b>');
  expect(refused.text).not.toContain('Kept <b>');
});

test('a test call obeys the rules of every call, and leaves no key behind', async () => {
  const teamId = await readyTeam();
  await world.db.query("UPDATE teams SET allowed_countries = '{US}' WHERE id = $1", [teamId]);
  const refused = await sent(operator, teamId, 'call', { phoneNumber: '+4930901820' });
  expect(refused.status).toBe(400);
  expect(refused.text).toMatch(
    /id="call-phoneNumber"[^>]*value="\+4930901820"|value="\+4930901820"[^>]*id="call-phoneNumber"/,
  );
  expect(textOf(refused.text)).toMatch(/Nothing was changed: .*country/i);
  await sent(operator, teamId, 'call', { phoneNumber: '+12015550146' });
  const keys = await world.db.query<Row[]>('SELECT revoked_at, scopes FROM api_keys WHERE team_id = $1', [
    teamId,
  ]);
  expect(keys).toHaveLength(2);
  for (const key of keys)
    expect(key).toMatchObject({ revoked_at: expect.any(Date) as Date, scopes: ['calls'] });
  expect(section(await operator.page(page(teamId)), 'step-key')).toContain('Make the key');
  expect(section(await operator.page(page(teamId)), 'step-request')).toContain('Waiting');
});

test('a key is shown once, with a command that works, and its first request is seen at once', async () => {
  const teamId = await readyTeam();
  const answer = await sent(operator, teamId, 'key', { name: 'Mine', phoneNumber: '(201) 555-0147' });
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  const key = secretIn(answer.text);
  const command = unescapeHtml(answer.text);
  expect(command).toContain(`Authorization: Bearer ${key}`);
  expect(command).toContain('{"phoneNumber":"+12015550147"}');
  expect(await operator.page(page(teamId))).not.toContain(key);
  const [, path = ''] = /'http:\/\/[^/]*(\/api\/[^']*)'/.exec(command) ?? [];
  expect(section(await operator.page(page(teamId)), 'step-request')).toContain('Waiting');
  await supertest(app.getHttpServer())
    .post(path)
    .set(bearer(key))
    .send({ phoneNumber: '+12015550147' })
    .expect(200);
  expect(section(await operator.page(page(teamId)), 'step-request')).toContain(
    'A request with a key arrived',
  );
  const refused = await sent(operator, teamId, 'key', { name: 'Mine', phoneNumber: '12' });
  expect(refused.status).toBe(400);
  expect(secretIn(refused.text)).toBe('');
});

test.each([
  ['viewer', ['place', 'number', 'agent', 'call', 'key'], 'Ask the operator of this deployment'],
  ['manager', ['place', 'number', 'key'], 'Ask an admin of Northwind'],
  ['admin', ['number'], 'Ask the operator of this deployment for a number'],
] as const)('a %s reads which role can do a step that is not allowed', async (role, refusedSteps, text) => {
  const teamId = await teamWith();
  const pages = await member(teamId, role);
  expect(textOf(await pages.page(page(teamId)))).toContain(text);
  const allowed = await readyTeam();
  const [, token = ''] = /name="formToken" value="([^"]*)"/.exec(await pages.page(page(teamId))) ?? [];
  for (const step of refusedSteps) {
    expect((await pages.post(page(teamId, step), { formToken: token })).status).toBe(403);
    expect((await pages.post(page(allowed, step), { formToken: token })).status).toBe(404);
  }
});

test('a step that was done elsewhere is done, and the page is small', async () => {
  const teamId = await teamWith({ name: 'Elsewhere <b>', default_country: 'US' });
  const { phone_number: number } = await buildPhoneNumber(world.db, teamId);
  await buildAgent(world.db, teamId, { name: 'Theirs <i>', outbound_phone_number: number });
  const shown = await operator.page(page(teamId));
  expect(section(shown, 'step-number')).toContain(`Calls are made from ${number}`);
  expect(section(shown, 'step-agent')).toContain('Theirs <i>');
  expect(shown).not.toMatch(/<i>|Elsewhere <b>/);
  expect(Buffer.byteLength(shown)).toBeLessThan(15_000);
  expect(Buffer.byteLength(await operator.page(page(await teamWith())))).toBeLessThan(60_000);
});

test('the script of the pages is ours, and browsers keep it', async () => {
  const teamId = await teamWith();
  const answer = await operator.get(page(teamId));
  expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  expect(answer.text).not.toMatch(/<script>|\son\w+=/);
  const [, path = ''] = /<script src="([^"]*htmx[^"]*)"/.exec(answer.text) ?? [];
  const script = await supertest(app.getHttpServer()).get(path);
  expect(script.headers['content-type']).toMatch(/javascript/);
  expect(script.headers['cache-control']).toContain('immutable');
  expect(script.text).toContain('htmx');
});
