import { type ForecastResource } from '../../src/campaigns/forecast/forecast.dto.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { CliTerminal } from './terminal.js';

let database: TestDatabase;
let cli: CliTerminal;

beforeAll(async () => {
  database = await createTestDatabase();
  cli = new CliTerminal(database);
});
afterAll(() => database.drop());

test('a forecast of the current version, of the draft, and of a version by its id', async () => {
  const { id: team } = await cli.json<{ id: string }>('team', 'create', '--name', 'Acme');
  const on = (...words: string[]) => [...words, '--team', team];
  await cli.json(...on('number', 'add', '+14155550100'));
  const agent = await cli.json(
    ...on('agent', 'create', '--name', 'Ann', '--timezone', 'UTC', '--calling-hours', 'any'),
    '--outbound-phone-number',
    '+14155550100',
  );
  const campaign = await cli.json<{ id: string; currentVersionId: string }>(
    ...on('campaign', 'create', '--name', 'Spring', '--status', 'draft'),
  );
  const forecast = (...more: string[]) => [
    ...on('campaign', 'forecast', campaign.id, '--concurrency', '5', '--seed', '7'),
    '--from',
    '2027-03-01T15:00:00Z',
    '--until',
    '2027-03-08T15:00:00Z',
    '--assume',
    '{"completed": 1, "seconds": 60}',
    '--contacts',
    '10',
    '--zones',
    'UTC,Asia/Tokyo',
    ...more,
  ];
  expect(await cli.run(...forecast('--version', 'draft'))).toMatchObject({
    code: 1,
    told: expect.stringContaining('campaign draft') as string,
  });
  const steps = JSON.stringify({ steps: [{ key: 'first', agentId: agent.id }] });
  const draft = await cli.json(...on('campaign', 'draft', campaign.id, '--definition', steps));
  expect(await cli.json(...forecast())).toMatchObject({ versionId: campaign.currentVersionId, dials: 0 });
  const played = await cli.json<ForecastResource & { id: string }>(...forecast('--version', 'draft'));
  expect(played).toMatchObject({
    versionId: draft.id,
    enrollments: 10,
    dials: 10,
    concurrencyPeak: 5,
    concurrencyNeeded: 10,
    skipped: { concurrency: 5 },
    finish: '2027-03-01T15:02:00.000Z',
  });
  expect(await cli.json(...forecast('--version', draft.id as string))).toEqual(played);
  const { out } = await cli.run(...forecast('--version', 'draft'));
  expect(out).toMatch(/^dialsByHour +2027-03-01T15:00:00.000Z +10 +concurrency 5$/m);
});
