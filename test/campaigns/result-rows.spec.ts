import { parse } from 'csv-parse/sync';
import { exportPieces } from '../../src/http/export.js';
import { RESULT_COLUMNS } from '../../src/campaigns/results/campaign-result.dto.js';
import { CampaignResultsService } from '../../src/campaigns/results/campaign-results.service.js';
import { buildCampaign, buildContact, buildEnrollment, insertRow, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { buildDials, type DialStatus } from '../support/enrollment-builders.js';
import { getBy } from '../lists/list-client.js';

/* What a team reads of the results of a campaign, person by person. */

const calling = Calling.ofFile();
let caller: Caller;
let campaign: { id: string; current_version_id: string };

beforeEach(async () => {
  caller = await buildCaller(calling.db);
  campaign = await buildCampaign(calling.db, caller.teamId);
});

async function enrolled(contact: Row = {}, row: Row = {}, dials: readonly DialStatus[] = []) {
  const { teamId: team_id } = caller;
  const { id: contactId, phone_number: phoneNumber } = await buildContact(calling.db, team_id, contact);
  const keys = {
    team_id,
    campaign_id: campaign.id,
    contact_id: contactId,
    version_id: campaign.current_version_id,
  };
  const { id } = await buildEnrollment(calling.db, keys, { status: 'active', ...row });
  const of = { id, team: team_id, campaignId: campaign.id, contactId };
  return { id, contactId, phoneNumber, calls: await buildDials(calling.db, of, dials) };
}

type Result = Record<string, unknown>;

async function file(query: string, by = caller, id = campaign.id): Promise<string> {
  const answer = await getBy(calling, by, `/api/campaigns/${id}/results${query}`)
    .buffer(true)
    .parse((response, done) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done(null, text));
    })
    .expect(200);
  return String(answer.body);
}

const results = async (query = '') =>
  (await file(`?format=ndjson${query}`))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);

test('a row has the contact, the state of the enrollment and its last call', async () => {
  const at = '2027-03-01T09:00:00.000Z';
  const contact = { name: 'Ada', custom_properties: { plan: 'gold', seats: 7, note: 'unseen' } };
  const row = { step: 'first', waiting_for: 'retry', next_attempt_at: at };
  const { id, contactId, phoneNumber, calls } = await enrolled(contact, row, ['busy', 'no_answer']);
  await insertRow(calling.db, 'call_results', {
    call_request_id: calls[1],
    team_id: caller.teamId,
    disposition: 'call_later',
    opt_out: false,
    recorded_at: new Date(),
  });
  const [result, ...others] = await results('&properties=plan,seats,crm_owner');
  expect(others).toEqual([]);
  expect(result).toEqual({
    enrollmentId: id,
    externalId: null,
    contactId,
    phoneNumber,
    name: 'Ada',
    customProperties: { plan: 'gold', seats: 7, crm_owner: null },
    status: 'active',
    endReason: null,
    step: 'first',
    attempts: 2,
    lastOutcome: 'no_answer',
    disposition: 'call_later',
    lastCallId: calls[1],
    lastCallAt: expect.stringMatching(/Z$/) as string,
    nextAttemptAt: at,
    waitingFor: 'retry',
    version: 1,
    versionId: campaign.current_version_id,
    entry: 1,
    createdAt: expect.stringMatching(/Z$/) as string,
    updatedAt: expect.stringMatching(/Z$/) as string,
  });
});

test('a hold of the campaign is the rule of its rows', async () => {
  await enrolled({}, { waiting_for: 'retry' });
  await calling.db.query(`UPDATE campaigns SET status = 'paused' WHERE id = $1`, [campaign.id]);
  expect((await results()).map(({ waitingFor }) => waitingFor)).toEqual(['paused']);
});

test('the last outcome is that of the last call: none in progress, who refused it, or that of a removed call', async () => {
  await enrolled({ name: 'none' });
  await enrolled({ name: 'talking' }, {}, ['busy', 'in_progress']);
  await enrolled({ name: 'unknown' }, {}, ['dial_unknown']);
  const declined = await enrolled({ name: 'declined' }, {}, ['failed']);
  await calling.db.query(`UPDATE call_requests SET reason = 'declined' WHERE id = $1`, declined.calls);
  const removed = await enrolled({ name: 'removed' }, {}, ['voicemail']);
  const line = {
    at: '2026-01-01T00:00:00.000Z',
    kind: 'call',
    callRequestId: removed.calls[0],
    status: 'voicemail',
  };
  await calling.db.query('UPDATE enrollments SET timeline = $2 WHERE id = $1', [
    removed.id,
    JSON.stringify([line, { at: line.at, kind: 'held' }]),
  ]);
  await calling.db.query('DELETE FROM call_requests WHERE id = $1', removed.calls);
  const shown = (await results()).map(({ name, lastOutcome, lastCallId }) => [
    name,
    lastOutcome,
    lastCallId !== null,
  ]);
  expect(shown).toEqual([
    ['none', null, false],
    ['talking', null, true],
    ['unknown', 'dial_unknown', true],
    ['declined', 'declined', true],
    ['removed', 'voicemail', true],
  ]);
});

test('CSV has a column for each chosen property, and runs no formula', async () => {
  const contact = { name: '=1+1', custom_properties: { plan: '@SUM(A1)', status: { vip: true } } };
  await enrolled(contact, { status: 'completed', end_reason: 'goal' });
  const text = await file('?properties=plan,status&bom=true');
  expect(
    text.startsWith('\uFEFFenrollmentId,externalId,contactId,phoneNumber,name,status,endReason,step,'),
  ).toBe(true);
  const [row] = parse<Record<string, string>>(text, { columns: true, bom: true });
  expect(row).toMatchObject({
    name: `'=1+1`,
    status: 'completed',
    endReason: 'goal',
    plan: `'@SUM(A1)`,
    'customProperties.status': '{"vip":true}',
    lastOutcome: '',
    attempts: '0',
  });
});

test('filters choose the rows, also by a change that only the timeline has', async () => {
  const early = new Date('2026-01-01T00:00:00Z');
  const then = { created_at: early, updated_at: early };
  await enrolled({ name: 'goal' }, { ...then, status: 'completed', end_reason: 'goal' });
  await enrolled({ name: 'reached' }, { ...then, status: 'completed', end_reason: 'reached' });
  await enrolled({ name: 'manual' }, { status: 'exited', end_reason: 'manual' });
  const { id } = await enrolled({ name: 'deferred' }, then);
  await calling.db.query('UPDATE enrollments SET timeline = $2 WHERE id = $1', [
    id,
    JSON.stringify([{ at: '2026-02-01T00:00:00.000Z', kind: 'deferred' }]),
  ]);
  const names = async (query: string) => (await results(query)).map(({ name }) => name);
  expect(await names('&status=completed')).toEqual(['goal', 'reached']);
  expect(await names('&status=completed&endReason=goal')).toEqual(['goal']);
  expect(await names('&updatedFrom=2026-02-01T00:00:00Z')).toEqual(['manual', 'deferred']);
  expect(await names('&updatedFrom=2026-02-01T00:00:00.001Z')).toEqual(['manual']);
});

test('the entries of a contact follow one another', async () => {
  const first = await enrolled({}, { status: 'completed', end_reason: 'reached' });
  const other = await enrolled();
  const keys = {
    team_id: caller.teamId,
    campaign_id: campaign.id,
    contact_id: first.contactId,
    version_id: campaign.current_version_id,
  };
  const again = await buildEnrollment(calling.db, keys, { entry: 2 });
  expect((await results()).map(({ enrollmentId, entry }) => [enrollmentId, entry])).toEqual([
    [first.id, 1],
    [again.id, 2],
    [other.id, 1],
  ]);
});

test.each([
  ['?format=xls', 'format must be one of csv, ndjson'],
  ['?status=ended', 'status must be one of active, paused'],
  ['?endReason=x', 'endReason must be one of goal'],
  ['?updatedFrom=yesterday', 'updatedFrom must be a date-time with an offset'],
  ['?properties=', 'properties must be 1 to 50 names'],
  ['?properties=plan,,owner', 'properties must be 1 to 50 names'],
  ['?limit=5', 'limit is not a parameter of an export'],
])('%s is 400', async (query, message) => {
  const answer = await getBy(calling, caller, `/api/campaigns/${campaign.id}/results${query}`);
  expect([answer.status, (answer.body as { error: string }).error]).toEqual([
    400,
    expect.stringContaining(message) as string,
  ]);
});

test('another team’s campaign is not found', async () => {
  await enrolled();
  const stranger = await buildCaller(calling.db);
  for (const id of [campaign.id, 'x'])
    expect((await getBy(calling, stranger, `/api/campaigns/${id}/results`)).status).toBe(404);
});

describe('of a large campaign', () => {
  // More than a window of a walk.
  const MANY = 45_000;

  beforeEach(async () => {
    const { teamId } = caller;
    await calling.db.query(
      `WITH c AS (
         INSERT INTO contacts (team_id, phone_number, custom_properties)
         SELECT $1, '+1646' || 2000000 + n, jsonb_build_object('n', n) FROM generate_series(1, $4::integer) AS n RETURNING id)
       INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id, status, end_reason, look_at)
       SELECT $1, $2, c.id, $3, 'completed', 'reached', NULL FROM c`,
      [teamId, campaign.id, campaign.current_version_id, MANY],
    );
    await calling.db.query(
      `UPDATE enrollments SET end_reason = 'goal' WHERE id = (
         SELECT id FROM enrollments WHERE campaign_id = $1 ORDER BY contact_id DESC LIMIT 1)`,
      [campaign.id],
    );
  });

  test('every row is streamed once', async () => {
    const rows = await results('&properties=n');
    expect(rows.length).toBe(MANY);
    expect(new Set(rows.map(({ customProperties }) => (customProperties as { n: number }).n)).size).toBe(
      MANY,
    );
  });

  test('a page is read when the page before was taken, and has a bounded number of rows', async () => {
    const service = calling.api.get(CampaignResultsService, { strict: false });
    const { page } = await service.of(caller.teamId, campaign.id, { filters: {}, problems: [] });
    const reads: number[] = [];
    const pieces = await exportPieces(
      { format: 'ndjson', bom: false, columns: RESULT_COLUMNS },
      async (part) => {
        const read = await page(part);
        reads.push(read.items.length);
        return read;
      },
    );
    const takeOne = async () => {
      await pieces.next();
      return [...reads];
    };
    // The head of the file is empty.
    await takeOne();
    expect(await takeOne()).toEqual([200]);
    expect(await takeOne()).toEqual([200, 200]);
    await pieces.return(undefined);
  });

  test('the one row that matches is found behind all others', async () => {
    expect((await results('&endReason=goal')).map(({ endReason }) => endReason)).toEqual(['goal']);
  });
});
