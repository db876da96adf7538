import { type DataSource } from 'typeorm';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { createDataSource } from '../../src/database/data-source.js';
import { CliTerminal, options } from './terminal.js';
import { type ForecastResource } from '../../src/campaigns/forecast/forecast.dto.js';
import { buildCampaign, buildContact, buildEnrollment, buildVersion } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let db: DataSource;
let cli: CliTerminal;
let caller: Caller;
let id: string;
let versions: [string, string];

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  cli = new CliTerminal(database);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  caller = await buildCaller(db);
  ({ id } = await buildCampaign(db, caller.teamId));
  const steps = [{ key: 'first', agentId: caller.agentId }];
  const row = { status: 'published', definition_format: DEFINITION_FORMAT };
  const made = [
    await buildVersion(db, caller.teamId, id, { ...row, number: 2, definition: { steps } }),
    await buildVersion(db, caller.teamId, id, {
      ...row,
      number: 3,
      definition: { steps, variables: { a: 1 } },
    }),
  ];
  versions = [made[0]!.id, made[1]!.id];
});

const on = (...words: string[]) => [...words, '--team', caller.teamId];

async function enroll(row: Record<string, unknown> = {}): Promise<string> {
  const { id: contact_id } = await buildContact(db, caller.teamId);
  const keys = { team_id: caller.teamId, campaign_id: id, contact_id, version_id: versions[0] };
  return (await buildEnrollment(db, keys, row)).id;
}

test('a campaign is paused, resumed and archived, and resumed again without the enrollments of before', async () => {
  const enrollment = await enroll();
  expect(await cli.json(...on('campaign', 'pause', id))).toMatchObject({ id, status: 'paused' });
  expect(await cli.json(...on('campaign', 'resume', id))).toMatchObject({ id, status: 'active' });
  expect(await cli.json(...on('campaign', 'archive', id))).toMatchObject({ id, status: 'archived' });
  expect(await cli.json(...on('campaign', 'resume', id))).toMatchObject({ id, status: 'active' });
  const ended = await cli.json(...on('enrollment', 'show', enrollment, '--campaign', id));
  expect(ended).toMatchObject({ status: 'exited', endReason: 'archived' });
});

test.each(['9007199254740993', '0.1234567890123456789', '1e999'])(
  'a definition with the number %s, which would be stored rounded, is refused',
  async (number) => {
    const definition = `{"variables":{"crm":${number}}}`;
    const said = await cli.run(...on('campaign', 'draft', id, '--definition', definition));
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.told).toContain('definition.variables.crm is a number that cannot be kept exactly');
  },
);

test('an enrollment is shown with why it is not dialed now, and what happened to it', async () => {
  const timeline = [
    { at: '2026-11-20T15:00:00.000Z', kind: 'deferred', until: null, waitingFor: 'carrier' },
    {
      at: '2026-11-20T15:01:00.000Z',
      kind: 'dial',
      seq: 1,
      step: 'first',
      callback: false,
      callRequestId: id,
    },
  ];
  const enrollment = await enroll({ timeline: JSON.stringify(timeline) });
  await cli.json(...on('campaign', 'pause', id));
  const { code, out } = await cli.run(...on('enrollment', 'show', enrollment, '--campaign', id));
  expect(code).toBe(0);
  expect(out).toMatch(/^entry +1$/m);
  expect(out).toContain('Why it is not dialed now:\n  The end of a pause. The campaign is paused.');
  expect(out).toContain('What happened:\n  2026-11-20T15:00:00.000Z  Deferred: the carrier\n');
  expect(out).toContain(`  2026-11-20T15:01:00.000Z  Call 1 of the step first (${id})`);
  const json = await cli.json(...on('enrollment', 'show', enrollment, '--campaign', id));
  expect(json).toMatchObject({ whyNot: { rule: 'paused' }, timeline });
  const ended = await cli.run(...on('enrollment', 'exit', enrollment, '--campaign', id));
  expect(ended.out).toContain('Ended, exited: ended by the operator');
  expect(ended.out).not.toContain('Why it is not dialed now');
});

test('a list is narrowed and paged, the newest first', async () => {
  const retries = await enroll({ waiting_for: 'retry', look_at: new Date() });
  const newest = await enroll({ waiting_for: 'retry', look_at: new Date() });
  await enroll({ waiting_for: 'hours', look_at: new Date() });
  const list = on('campaign', 'enrollments', id, '--waiting-for', 'retry', '--limit', '1');
  const first = await cli.json<{ items: { id: string }[]; nextCursor: string }>(...list);
  expect(first.items.map((item) => item.id)).toEqual([newest]);
  const next = await cli.json<typeof first>(...list, '--cursor', first.nextCursor);
  expect(next).toEqual({ items: [expect.objectContaining({ id: retries, entry: 1 })], nextCursor: null });
  expect((await cli.run(...list)).out).toMatch(/^ID +CONTACT ID +ENTRY +STATUS +STEP +WAITING FOR/);
});

test('a migration is shown by its dry run, and then happens', async () => {
  await enroll();
  const [from, to] = versions;
  const both = on('campaign', 'migrate', id, '--from', from, '--to', to);
  const plan = { fromVersionId: from, toVersionId: to, live: 1, missingSteps: [], changes: ['variables'] };
  const moving = async () =>
    (
      await db.query<{ migrates_to: string | null }[]>(
        'SELECT migrates_to FROM campaign_versions WHERE id = $1',
        [from],
      )
    )[0]?.migrates_to;
  expect(await cli.json(...both, '--dry-run')).toMatchObject(plan);
  expect(await moving()).toBeNull();
  expect(await cli.json(...both)).toMatchObject(plan);
  expect(await moving()).toBe(to);
});

test('campaign: from its first draft to the end of an enrollment', async () => {
  const campaign = await cli.json<{ id: string; currentVersionId: string }>(
    'campaign',
    'create',
    ...options({ team: caller.teamId, name: 'Spring', status: 'active' }),
  );
  const { id } = campaign;
  expect(await cli.run(...on('campaign', 'publish', id))).toMatchObject({
    code: 1,
    told: expect.stringContaining('campaign draft') as unknown,
  });
  const draft = await cli.json(...on('campaign', 'draft', id, '--definition', '{"steps":[]}'));
  const again = await cli.json(...on('campaign', 'draft', id, '--definition', '{"note":"x"}'));
  expect(again).toEqual({ ...draft, definition: { note: 'x' } });
  expect(await cli.json(...on('campaign', 'publish', id))).toMatchObject({
    id: draft.id,
    status: 'published',
  });
  expect(await cli.json(...on('campaign', 'show', id))).toMatchObject({ currentVersionId: draft.id });
  const both = ['--from', campaign.currentVersionId, '--to', draft.id as string];
  const plan = { fromVersionId: campaign.currentVersionId, toVersionId: draft.id, live: 0 };
  for (const more of [['--dry-run'], []]) {
    expect(await cli.json(...on('campaign', 'migrate', id, ...both, ...more))).toMatchObject(plan);
  }
  const pacing = ['--pacing', '{"callsPerMinute": 60}', '--reentry', 'none'];
  expect(await cli.json(...on('campaign', 'update', id, ...pacing))).toMatchObject({
    pacing: { callsPerMinute: 60, weight: 1 },
    reentry: { maxEntries: 1 },
  });
  expect(await cli.json(...on('campaign', 'update', id, '--status', 'paused'))).toMatchObject({
    status: 'paused',
  });

  const contact = await buildContact(db, caller.teamId);
  const keys = { team_id: caller.teamId, campaign_id: id, contact_id: contact.id, version_id: draft.id };
  const enrollment = await buildEnrollment(db, keys);
  const enrolled = await cli.json(...on('campaign', 'enrollments', id, '--status', 'active'));
  expect(enrolled.items).toEqual([expect.objectContaining({ id: enrollment.id })]);
  expect(await cli.json(...on('campaign', 'enrollments', id, '--waiting-for', 'retry'))).toMatchObject({
    items: [],
  });
  expect(await cli.json(...on('campaign', 'stats', id))).toMatchObject({
    enrolled: 1,
    live: 1,
    attempted: 0,
  });
  const shown = await cli.json(...on('enrollment', 'show', enrollment.id, '--campaign', id));
  expect(shown).toMatchObject({ enrollmentId: enrollment.id, status: 'active', attempts: 0, timeline: [] });
  const move = (word: string) => cli.json(...on('enrollment', word, enrollment.id, '--campaign', id));
  expect(await move('pause')).toMatchObject({ status: 'paused' });
  expect(await move('resume')).toMatchObject({ status: 'active' });
  expect(await move('exit')).toMatchObject({ status: 'exited' });
  expect(await cli.json(...on('campaign', 'archive', id))).toMatchObject({ id, status: 'archived' });
  const versions = await cli.run(...on('campaign', 'versions', id));
  expect(versions.out.split('\n')).toHaveLength(3);
});

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

test('a campaign is named by its id or by its name, whatever its case', async () => {
  await db.query(`UPDATE campaigns SET name = 'Spring Renewals' WHERE id = $1`, [id]);
  expect(await cli.json(...on('campaign', 'show', 'spring renewals'))).toMatchObject({ id });
  const enrollment = await enroll();
  const shown = on('enrollment', 'show', enrollment, '--campaign', 'Spring Renewals');
  expect(await cli.json(...shown)).toMatchObject({ id: enrollment });
  expect(await cli.run(...on('campaign', 'show', 'Autumn'))).toMatchObject({ code: 1 });

  const { id: other } = await buildCampaign(db, caller.teamId, { name: 'SPRING RENEWALS' });
  expect(await cli.json(...on('campaign', 'show', 'SPRING RENEWALS'))).toMatchObject({ id: other });
  expect(await cli.run(...on('campaign', 'show', 'Spring renewals'))).toMatchObject({
    code: 2,
    told: expect.stringContaining('Several campaigns are called "Spring renewals"') as unknown,
  });
});

test('the counts of a campaign are readable, and whole as JSON', async () => {
  await enroll({ waiting_for: 'retry' });
  await enroll({ status: 'exited', end_reason: 'manual' });
  const stats = on('campaign', 'stats', id);
  const { out } = await cli.run(...stats);
  expect(out).toMatch(/^enrolled +2$/m);
  expect(out).toMatch(/^ended +manual 1$/m);
  expect(out).toMatch(/^version 2 +enrolled 2; live 1/m);
  expect(out).not.toContain('{');
  expect(await cli.json(...stats)).toMatchObject({ enrolled: 2, byVersion: [{ number: 2 }] });
});

test('enrollments are found by the number of their contact', async () => {
  const enrollment = await enroll();
  const [contact] = await db.query<{ phone_number: string }[]>(
    'SELECT phone_number FROM contacts JOIN enrollments e ON e.contact_id = contacts.id WHERE e.id = $1',
    [enrollment],
  );
  await enroll();
  const found = on('campaign', 'enrollments', id, '--phone-number', contact?.phone_number ?? '');
  expect(await cli.json(...found)).toMatchObject({ items: [{ id: enrollment }] });
  expect(await cli.run(...on('campaign', 'enrollments', id, '--phone-number', '12'))).toMatchObject({
    code: 2,
  });
});
