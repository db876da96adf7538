import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { buildCampaign, buildVersion } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { createWorld, type World } from '../support/app.js';
import { section, PAGES_LOGIN, StaffClient, textOf } from './staff-client.js';

let world: World;
let staff: StaffClient;
let caller: Caller;
let campaign: string;
let page: string;
let path: string;

beforeAll(async () => {
  world = await createWorld(PAGES_LOGIN);
  staff = new StaffClient(await world.startApi());
  caller = await buildCaller(world.db, { name: 'Northwind Clinics' });
  ({ id: campaign } = await buildCampaign(world.db, caller.teamId, { name: 'Spring' }));
  const steps = [{ key: 'first', agentId: caller.agentId, retry: { no_answer: ['P1D'] } }];
  const { id: version } = await buildVersion(world.db, caller.teamId, campaign, {
    status: 'published',
    definition: { steps },
    definition_format: DEFINITION_FORMAT,
  });
  page = `/admin/teams/${caller.teamId}/campaigns/${campaign}`;
  path = `${page}/versions/${version}/forecast`;
});
afterAll(() => world.close());

const FIELDS = {
  days: '7',
  concurrency: '5',
  completed: '50',
  no_answer: '50',
  busy: '0',
  voicemail: '0',
  seconds: '60',
  contacts: '100',
  seed: '7',
};

test('the campaign’s page leads to the form, which plays the version and stays filled', async () => {
  expect(await staff.page(page)).toContain(`href="${path}"`);
  const form = await staff.page(path);
  expect(textOf(form)).toContain('Forecast of version 2 Spring');
  expect(form).toContain('name="days" type="number" min="1" value="14"');
  const answer = await staff.submit(path, path, FIELDS);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('name="seed" type="number" min="0" value="7"');
  // Every contact is called, and half of them again.
  const played = section(answer.text, 'played');
  const [, dials = ''] = /Dials for 100 enrollments (\d+) Live at the end 0 /.exec(played) ?? [];
  expect(Number(dials)).toBeGreaterThan(120);
  expect(played).toContain('Most active calls at a time; 100 without the limit 5 ');
  expect(section(answer.text, 'days')).toMatch(/Dials Busiest hour \w{3} \d{4}-\d\d-\d\d \d+ \d+ /);
  expect(section(answer.text, 'ends')).toMatch(/Reached \d+ No response \d+/);
  expect(section(answer.text, 'skipped')).toContain('A concurrency slot');
  // The same seed draws the same outcomes.
  const again = await staff.submit(path, path, FIELDS);
  expect(section(again.text, 'outcomes')).toBe(section(answer.text, 'outcomes'));
  expect(await world.db.query<object[]>('SELECT FROM call_requests')).toHaveLength(0);
});

test.each([
  [{ days: '0' }, 'Days must be a whole number from 1 to 366.'],
  [{ concurrency: 'x' }, 'Active calls must be a whole number from 1 to 100000.'],
  [{ completed: '60' }, 'at most 1'],
  [{ contacts: '9999999' }, 'Made-up contacts must be a whole number from 1 to 250000.'],
])('%j is shown above the form, which stays filled', async (field, problem) => {
  const answer = await staff.submit(path, path, { ...FIELDS, ...field });
  expect(answer.status).toBe(400);
  expect(textOf(answer.text)).toContain(problem);
  expect(answer.text).toContain('name="seconds" type="number" min="1" value="60"');
  expect(answer.text).not.toContain('id="played"');
});

test('a form of another site plays nothing; unknown versions and another team’s are 404', async () => {
  await staff.post(path, FIELDS).expect(403);
  const other = await buildCaller(world.db);
  await staff.get(path.replace(caller.teamId, other.teamId)).expect(404);
  await staff.get(path.replace(/versions\/[^/]*/, `versions/${campaign}`)).expect(404);
});
