import {
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildTeam,
  buildVersion,
} from '../support/builders.js';
import { CAMPAIGN_STATS, type StatsRow } from '../../src/campaigns/admin/campaign-stats.sql.js';
import { recount, sorted } from '../campaigns/support/recount.js';
import { buildDials, type DialStatus } from '../support/enrollment-builders.js';
import { operatorOfFile, UNKNOWN_ID } from './operator-api.js';

const { world, api } = operatorOfFile();
let team: string;
let campaignId: string;
let current: string;
let stats: string;

beforeEach(async () => {
  team = (await buildTeam(world.db)).id;
  ({ id: campaignId, current_version_id: current } = await buildCampaign(world.db, team));
  stats = `/teams/${team}/campaigns/${campaignId}/stats`;
});

async function enroll(row: Record<string, unknown>, dials: DialStatus[] = [], version = current) {
  const { id: contactId } = await buildContact(world.db, team);
  const keys = { team_id: team, campaign_id: campaignId, contact_id: contactId, version_id: version };
  const { id } = await buildEnrollment(world.db, keys, row);
  return buildDials(world.db, { id, team, campaignId, contactId }, dials);
}

const NONE = {
  enrolled: 0,
  live: 0,
  attempted: 0,
  reached: 0,
  goals: 0,
  ended: {},
  waitingFor: {},
  attempts: {},
};

test('a campaign without enrollments has counts of zero', async () => {
  const answer = await api.get(stats);
  expect([answer.status, answer.body]).toEqual([200, { ...NONE, byVersion: [] }]);
});

test('counts enrollments by state, end and wait, and processed dials by outcome, for each version', async () => {
  const { id: draft } = await buildVersion(world.db, team, campaignId);
  await enroll({ status: 'active', waiting_for: 'retry' }, ['no_answer', 'busy', 'no_answer']);
  await enroll({ status: 'active', waiting_for: 'in_call' }, ['no_answer', 'in_progress']);
  await enroll({ status: 'active', waiting_for: 'carrier' }, ['refused']);
  await enroll({ status: 'paused', waiting_for: 'paused' });
  await enroll({ status: 'active' });
  await enroll({ status: 'completed', end_reason: 'goal' }, ['voicemail', 'completed', 'completed']);
  await enroll({ status: 'completed', end_reason: 'reached' }, ['completed'], draft);
  await enroll({ status: 'active', waiting_for: 'outcome' }, ['dial_unknown'], draft);
  await enroll({ status: 'exited', end_reason: 'suppressed' }, [], draft);
  await enroll({ status: 'failed', end_reason: 'not_dialable' }, ['refused', 'refused', 'refused'], draft);
  await enroll({ status: 'exited' }, [], draft);

  const { id: sibling } = await buildCampaign(world.db, team);
  expect((await api.get(`/teams/${team}/campaigns/${sibling}/stats`)).body).toEqual({
    ...NONE,
    byVersion: [],
  });
  expect((await api.get(stats)).body).toEqual({
    enrolled: 11,
    live: 6,
    attempted: 5,
    reached: 2,
    goals: 1,
    ended: { goal: 1, reached: 1, suppressed: 1, not_dialable: 1, manual: 1 },
    waitingFor: { retry: 1, in_call: 1, carrier: 1, paused: 1, outcome: 1 },
    attempts: { no_answer: 3, busy: 1, voicemail: 1, completed: 3, unknown: 1 },
    byVersion: [
      {
        versionId: current,
        number: 1,
        enrolled: 6,
        live: 5,
        attempted: 3,
        reached: 1,
        goals: 1,
        ended: { goal: 1 },
        waitingFor: { retry: 1, in_call: 1, carrier: 1, paused: 1 },
        attempts: { no_answer: 3, busy: 1, voicemail: 1, completed: 2 },
      },
      {
        versionId: draft,
        number: 2,
        enrolled: 5,
        live: 1,
        attempted: 2,
        reached: 1,
        goals: 0,
        ended: { reached: 1, suppressed: 1, not_dialable: 1, manual: 1 },
        waitingFor: { outcome: 1 },
        attempts: { completed: 1, unknown: 1 },
      },
    ],
  });
});

test('a removed call stays counted', async () => {
  await enroll({ status: 'completed', end_reason: 'reached' }, ['no_answer', 'completed']);
  await world.db.query('DELETE FROM call_requests WHERE team_id = $1', [team]);
  const answer = await api.get(stats);
  expect(answer.body).toMatchObject({ attempted: 1, reached: 1, attempts: { no_answer: 1, completed: 1 } });
});

test('counts are the same before and after workers add up the changes, also several at once', async () => {
  for (let n = 0; n < 30; n += 1) await enroll({ status: 'active', waiting_for: n % 2 ? 'retry' : 'after' });
  await world.db.query(
    `UPDATE enrollments SET status = 'exited', end_reason = 'manual', waiting_for = NULL
     WHERE campaign_id = $1 AND waiting_for = 'retry'`,
    [campaignId],
  );
  const before = (await api.get(stats)).body as object;
  expect(before).toMatchObject({ enrolled: 30, live: 15, ended: { manual: 15 }, waitingFor: { after: 15 } });
  await Promise.all(Array.from({ length: 4 }, () => world.db.query('SELECT fold_campaign_counts(10)')));
  expect((await api.get(stats)).body).toEqual(before);
  await world.db.query('SELECT fold_campaign_counts(100000)');
  const [left] = await world.db.query<{ n: number }[]>(
    'SELECT count(*)::integer AS n FROM campaign_count_changes',
  );
  expect(left?.n).toBe(0);
  expect((await api.get(stats)).body).toEqual(before);
});

test('counts equal the rows after any change of enrollments, also after a rollback', async () => {
  await enroll({ status: 'active', waiting_for: 'in_call' }, ['no_answer', 'in_progress']);
  await enroll({ status: 'failed', end_reason: 'not_dialable' }, ['refused', 'dial_unknown']);
  const { id: draft } = await buildVersion(world.db, team, campaignId);
  const counts = async () => sorted(await world.db.query<StatsRow[]>(CAMPAIGN_STATS, [team, campaignId]));
  expect(await counts()).toEqual(await recount(world.db, campaignId));
  const undone = world.db.transaction(async (db) => {
    await db.query('UPDATE enrollments SET waiting_for = NULL WHERE campaign_id = $1', [campaignId]);
    throw new Error('taken back');
  });
  await expect(undone).rejects.toThrow('taken back');
  expect(await counts()).toEqual(await recount(world.db, campaignId));
  await world.db.query('UPDATE enrollments SET version_id = $2 WHERE campaign_id = $1', [campaignId, draft]);
  expect((await counts()).map(({ version_id }) => version_id)).toEqual((await counts()).map(() => draft));
  expect(await counts()).toEqual(await recount(world.db, campaignId));
});

test('stats of another team’s campaign or an unknown one are 404', async () => {
  const { id: other } = await buildTeam(world.db);
  for (const path of [
    `/teams/${other}/campaigns/${campaignId}/stats`,
    `/teams/${team}/campaigns/${UNKNOWN_ID}/stats`,
  ]) {
    const answer = await api.get(path);
    expect([answer.status, answer.body]).toEqual([404, { error: 'Campaign not found' }]);
  }
});
