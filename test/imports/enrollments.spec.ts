import { type INestApplicationContext } from '@nestjs/common';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { fresh, grown } from '../operations/samples.js';
import { PlayedCampaign } from '../campaigns/support/played-campaign.js';
import { buildCampaign, buildVersion } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { csvOf, ImportClient, numberAt } from './import-client.js';

/*
 * In which campaigns the contacts of an import are enrolled, and what its results and the metrics tell of it.
 */

let calling: Calling;
let imports: ImportClient;
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
  imports = new ImportClient(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
afterAll(() => calling.close());
beforeEach(async () => {
  await moveClock(calling.db, '0 seconds');
  caller = await buildCaller(calling.db);
});

const work = () => worker.get(ImportWorkerService, { strict: false }).run(new AbortController().signal);

/** Uploads and processes a file. */
async function imported(file: string, query: string) {
  const importId = await imports.started(caller, file, { query });
  await work();
  return {
    view: await imports.get(caller, importId),
    results: await imports.results(caller, importId),
  };
}

const enrollmentsOf = (campaignId: string) =>
  calling.db.query<{ id: string; contact_id: string; version_id: string; entry: number }[]>(
    'SELECT id, contact_id, version_id, entry FROM enrollments WHERE campaign_id = $1 ORDER BY entry, contact_id',
    [campaignId],
  );
const exit = (enrollmentId: string) =>
  calling
    .http()
    .post(`/api/campaigns/enrollments/${enrollmentId}/exit`)
    .set(bearer(caller.apiKey))
    .expect(200);

test('a row’s own campaign is used, and an enrolled contact is not enrolled again', async () => {
  const [given, own] = [
    await buildCampaign(calling.db, caller.teamId),
    await buildCampaign(calling.db, caller.teamId),
  ];
  const rows = `phoneNumber,campaignId\n${numberAt(0)},\n${numberAt(1)},${own.id}\n`;
  const first = await imported(rows, `campaignId=${given.id}`);
  expect(first.view).toMatchObject({ created: 2, enrolled: 2 });
  expect(await enrollmentsOf(own.id)).toMatchObject([
    { contact_id: first.results[1]?.contactId, version_id: own.current_version_id },
  ]);
  const second = await imported(rows, `campaignId=${given.id}`);
  expect(second.view).toMatchObject({ updated: 2, enrolled: 0, failed: 0 });
  expect(await enrollmentsOf(given.id)).toHaveLength(1);
  const again = second.results.map(({ notEnrolled }) => notEnrolled);
  expect(again).toEqual(Array(2).fill('Contact is already enrolled in this campaign'));
});

test('a campaign with reentry enrolls a contact again after its enrollment ended, as the endpoint does', async () => {
  const { id } = await buildCampaign(calling.db, caller.teamId);
  const reentry = { maxEntries: 3, minInterval: 'P2D' };
  await calling.operated('patch', `/teams/${caller.teamId}/campaigns/${id}`, { reentry });
  const file = csvOf(3);
  const first = await imported(file, `campaignId=${id}`);
  const [left, alsoLeft] = first.results;
  await exit(String(left?.enrollmentId));
  await exit(String(alsoLeft?.enrollmentId));
  const early = await imported(file, `campaignId=${id}`);
  expect(early.view).toMatchObject({ updated: 3, enrolled: 0, failed: 0 });
  await moveClock(calling.db, '2 days 1 hour');
  const { id: other } = await buildVersion(calling.db, caller.teamId, id);
  // The first contact in two rows: it is enrolled once.
  const later = await imported(`${file}${numberAt(0)},Ada\n`, `campaignId=${id}&version=${other}`);
  expect(later.view).toMatchObject({ updated: 4, enrolled: 2, failed: 0 });
  expect(later.results.map(({ row, notEnrolled }) => [row, notEnrolled])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, 'Contact is already enrolled in this campaign'],
    [4, 'Contact is already enrolled in this campaign'],
  ]);
  const entries = await enrollmentsOf(id);
  expect(entries.filter(({ entry }) => entry === 2)).toEqual(
    later.results
      .slice(0, 2)
      .map((result) => ({
        id: result.enrollmentId,
        contact_id: result.contactId,
        version_id: other,
        entry: 2,
      }))
      .sort((one, two) => (String(one.contact_id) < String(two.contact_id) ? -1 : 1)),
  );
  expect(entries).toHaveLength(5);
});

test('maxEntries limits the entries that imports make, too', async () => {
  const { id } = await buildCampaign(calling.db, caller.teamId);
  await calling.operated('patch', `/teams/${caller.teamId}/campaigns/${id}`, { reentry: { maxEntries: 2 } });
  for (const enrolled of [1, 1, 0]) {
    const { view, results } = await imported(csvOf(1), `campaignId=${id}`);
    expect(view.enrolled).toBe(enrolled);
    const enrollmentId = results[0]?.enrollmentId;
    if (enrollmentId !== undefined) await exit(enrollmentId);
  }
});

test('a result says why its contact was not enrolled', async () => {
  const given = await buildCampaign(calling.db, caller.teamId);
  const archived = await buildCampaign(calling.db, caller.teamId, { status: 'archived' });
  const stranger = await buildCampaign(calling.db, (await buildCaller(calling.db)).teamId);
  const campaigns = ['', archived.id, stranger.id];
  const rows = campaigns.map((campaignId, n) => `${numberAt(n)},${campaignId}\n`).join('');
  const { view, results } = await imported(`phoneNumber,campaignId\n${rows}`, `campaignId=${given.id}`);
  expect(view).toMatchObject({ created: 3, enrolled: 1, failed: 0 });
  expect(results.map(({ notEnrolled }) => notEnrolled)).toEqual([
    undefined,
    'The campaign is archived',
    'Campaign not found',
  ]);
});

const NO_STEPS = /has no steps, so the enrolled contacts are not called/;
/** What an answer says about the header of `csvOf`. */
const COLUMNS = [
  { header: 'phoneNumber', field: 'phoneNumber' },
  { header: 'name', field: 'name' },
];
const step = () => ({ steps: [{ key: 'first', agentId: caller.agentId }] });

test.each(['draft', 'paused'])(
  'a %s campaign is loaded, says so, and calls once it is active',
  async (status) => {
    const campaign = await PlayedCampaign.build(calling, caller, step(), { status });
    const sent = await imports.send(caller, csvOf(2), { query: `campaignId=${campaign.id}` });
    const warnings = [
      {
        key: 'campaignId',
        text: expect.stringContaining(
          `The campaign is ${status === 'draft' ? 'a draft' : 'paused'}`,
        ) as string,
      },
    ];
    expect([sent.status, sent.body]).toEqual([
      202,
      { importId: expect.any(String) as string, columns: COLUMNS, warnings },
    ]);
    await work();
    const { importId } = sent.body as { importId: string };
    expect(await imports.get(caller, importId)).toMatchObject({ enrolled: 2, failed: 0, warnings });
    // The rows of the second import name the campaign themselves.
    const again = await imported(`phoneNumber,campaignId\n${numberAt(7)},${campaign.id}\n`, '');
    expect(again.view).toMatchObject({ enrolled: 1 });
    const reentered = await campaign.patch({ reentry: { maxEntries: 2 } });
    expect(reentered.status).toBe(200);
    const [left] = again.results;
    await exit(String(left?.enrollmentId));
    const third = await imported(`phoneNumber\n${numberAt(7)}\n`, `campaignId=${campaign.id}`);
    expect(third.view).toMatchObject({ enrolled: 1 });
    for (const { id } of await enrollmentsOf(campaign.id)) {
      const path = `/teams/${caller.teamId}/campaigns/${campaign.id}/enrollments/${id}`;
      const answer = await calling.operator('get', path).expect(200);
      if ((answer.body as { status: string }).status !== 'active') continue;
      expect(answer.body).toMatchObject({ whyNot: { rule: status, retryAt: null } });
    }
    expect((await campaign.patch({ status: 'active' })).body).toMatchObject({ warnings: [] });
    expect((await imports.get(caller, importId)).warnings).toBeUndefined();
  },
);

test('an import into a version without steps says so in its answer, its replay and its reads', async () => {
  const { id } = await buildCampaign(calling.db, caller.teamId);
  const key = { query: `campaignId=${id}`, headers: { 'Idempotency-Key': 'march' } };
  const sent = await imports.send(caller, csvOf(1), key);
  const warnings = [{ key: 'campaignId', text: expect.stringMatching(NO_STEPS) as string }];
  expect(sent.body).toMatchObject({ warnings });
  expect((await imports.send(caller, csvOf(1), key)).body).toEqual(sent.body);
  const { importId } = sent.body as { importId: string };
  expect(await imports.get(caller, importId)).toMatchObject({ warnings });
  expect(await imports.list(caller)).toMatchObject([{ warnings }]);
  const called = await PlayedCampaign.build(calling, caller, step());
  const without = await imports.send(caller, csvOf(1), { query: `campaignId=${called.id}` });
  expect(without.body).toEqual({ importId: expect.any(String) as string, columns: COLUMNS });
  await work();
});

test('metrics count rows by result, and tell of imports that have not ended', async () => {
  const { id } = await buildCampaign(calling.db, caller.teamId);
  const before = await fresh(worker);
  await imports.started(caller, csvOf(3), { query: `campaignId=${id}` });
  await imports.started(caller, `${csvOf(2)}x,Ada\n`);
  await moveClock(calling.db, '7 minutes');
  const waiting = await fresh(worker);
  expect(waiting).toMatchObject({
    'outdial_imports{status="staging"}': 0,
    'outdial_imports{status="running"}': 2,
  });
  expect(waiting.outdial_imports_idle_seconds).toBeGreaterThanOrEqual(420);
  await work();
  const after = await fresh(worker);
  const rows = (outcome: string) => grown(before, after, `outdial_import_rows_total{outcome="${outcome}"}`);
  expect([rows('created'), rows('updated'), rows('failed')]).toEqual([3, 2, 1]);
  expect(grown(before, after, 'outdial_import_enrollments_total')).toBe(3);
  expect(after).toMatchObject({ 'outdial_imports{status="running"}': 0, outdial_imports_idle_seconds: 0 });
});
