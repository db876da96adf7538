import { type NestExpressApplication } from '@nestjs/platform-express';
import { OperationsClient, textOf } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

let world: World;
let app: NestExpressApplication;
let caller: Caller;
let manager: OperationsClient;
let list: string;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  caller = await buildCaller(world.db);
  manager = await OperationsClient.signedIn(app, { teamId: caller.teamId, role: 'manager' });
  list = `/t/${caller.teamId}/campaigns`;
});
afterAll(() => world.close());

const rowOf = async (id: string) => {
  const [row] = await world.db.query<Record<string, unknown>[]>(
    'SELECT name, status, purpose, pacing, reentry FROM campaigns WHERE id = $1',
    [id],
  );
  return row;
};

const FIELDS = {
  name: ' Spring <offer> ',
  status: 'active',
  purpose: 'survey',
  'pacing.callsPerMinute': '30',
  'pacing.maxConcurrentCalls': '',
  'pacing.weight': '2',
  reentry: 'again',
  'reentry.maxEntries': '3',
  'reentry.minInterval': '30d',
};

test('a campaign is made with its settings, and its steps follow', async () => {
  expect(await manager.page(list)).toContain(`href="${list}/new"`);
  const made = await manager.submit(`${list}/new`, `${list}/new`, FIELDS);
  expect(made.status).toBe(303);
  const [, id = ''] = /campaigns\/([^/]*)\/versions\/new$/.exec(made.headers.location ?? '') ?? [];
  expect(await rowOf(id)).toEqual({
    name: 'Spring <offer>',
    status: 'active',
    purpose: 'survey',
    pacing: { callsPerMinute: 30, maxConcurrentCalls: null, weight: 2 },
    reentry: { maxEntries: 3, minInterval: 'P30D' },
  });
});

test('the first values are careful ones', async () => {
  const page = await manager.page(`${list}/new`);
  expect(page).toMatch(/name="pacing\.callsPerMinute"[^>]*value="60"/);
  expect(page).toMatch(/<option value="draft" selected/);
});

test('what is refused is said at its field, and the rest stays typed', async () => {
  const refused = await manager.submit(`${list}/new`, `${list}/new`, {
    ...FIELDS,
    name: '  ',
    'pacing.callsPerMinute': 'many',
    'reentry.minInterval': 'P1M',
  });
  expect(refused.status).toBe(400);
  const { text } = refused;
  expect(text).toContain('id="field-name-error"');
  expect(text).toMatch(
    /id="field-pacing-callsPerMinute-error">Calls a minute, at most: must be a whole number/,
  );
  expect(text).toMatch(/id="field-reentry-minInterval-error">[^<]*ISO 8601/);
  expect(text).toContain('value="many"');
  expect(text).toContain('href="#field-pacing-callsPerMinute"');
  expect(textOf(text)).toContain('The campaign was not created.');
});

test('of the settings, only what was changed is written', async () => {
  const { id } = await buildCampaign(world.db, caller.teamId, { name: 'Autumn' });
  const edit = `${list}/${id}/edit`;
  expect(await manager.page(`${list}/${id}`)).toContain(`href="${edit}"`);
  // Another person changes the pacing while this form is open.
  const before = await manager.page(edit);
  await world.db.query('UPDATE campaigns SET pacing = $1 WHERE id = $2', [{ callsPerMinute: 5 }, id]);
  const [, made = ''] = /name="before" value="([^"]*)"/.exec(before) ?? [];
  const saved = await manager.submit(edit, edit, {
    before: made.replaceAll('&quot;', '"'),
    name: 'Autumn',
    purpose: 'debt',
    'pacing.callsPerMinute': '',
    'pacing.maxConcurrentCalls': '7',
    'pacing.weight': '1',
    reentry: 'once',
  });
  expect([saved.status, saved.headers.location]).toEqual([303, `${list}/${id}`]);
  expect(textOf(await manager.page(`${list}/${id}`))).toContain('The settings are saved.');
  expect(await rowOf(id)).toMatchObject({
    name: 'Autumn',
    purpose: 'debt',
    pacing: { callsPerMinute: 5, maxConcurrentCalls: 7 },
    reentry: null,
  });
  const refused = await manager.submit(edit, edit, { name: 'Autumn', 'pacing.weight': '101' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('id="field-pacing-weight-error"');
});

test('a viewer sees neither, and unknown campaigns are not found', async () => {
  const viewer = await OperationsClient.signedIn(app, { teamId: caller.teamId, role: 'viewer' });
  await viewer.get(`${list}/new`).expect(403);
  expect(await viewer.page(list)).not.toContain('New campaign');
  await manager.get(`${list}/00000000-0000-4000-8000-000000000000/edit`).expect(404);
});
