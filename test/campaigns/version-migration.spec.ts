import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { buildVersion } from '../support/builders.js';
import { LockHolder } from '../support/lock-holder.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, MINUTE, type PlayedCampaign } from './support/played-campaign.js';

/*
 * POST …/versions/{v}/migrate: the live enrollments of one version go on by another. The simulator's dial log
 * is the witness.
 */

const { calling, worker } = useCampaigns();

type Definition = { steps: Record<string, unknown>[]; [key: string]: unknown };

const retried = (...delays: string[]): Definition => ({
  steps: [{ key: 'first', retry: { no_answer: delays } }],
});

/** A campaign with a version for each definition; its contacts are enrolled on the first. */
async function start(one: Definition, other: Definition) {
  const team = { retry_within_redial_window: true };
  const { caller, campaign } = await startCampaign(calling, one, { team });
  const steps = other.steps.map((step) => ({ agentId: caller.agentId, ...step }));
  const { id: to } = await buildVersion(calling.db, caller.teamId, campaign.id, {
    status: 'published',
    definition: { ...other, steps },
    definition_format: DEFINITION_FORMAT,
  });
  const path = `/teams/${caller.teamId}/campaigns/${campaign.id}/versions`;
  const migrate = (query = '', version = to, fromVersionId = campaign.versionId) =>
    calling.operator('post', `${path}/${version}/migrate${query}`, { fromVersionId });
  return { caller, campaign, to, migrate };
}

const versionOf = async (campaign: PlayedCampaign, id: string) => (await campaign.row(id)).version_id;

test('attempts stay counted, and no call is dialed earlier than before', async () => {
  const { campaign, to, migrate } = await start(retried('PT13H', 'PT13H'), retried('PT1H', 'PT1H'));
  const { id, to: number } = await campaign.enroll();
  calling.setRules({ match: number, outcome: 'no_answer' });
  await campaign.played(worker.app, 0);
  const { next_attempt_at: before } = await campaign.row(id);
  const answer = await migrate();
  expect([answer.status, answer.body]).toEqual([
    202,
    {
      fromVersionId: campaign.versionId,
      toVersionId: to,
      live: 1,
      steps: [{ step: 'first', live: 1, exists: true, changes: ['retry'] }],
      missingSteps: [],
      changes: [],
    },
  ]);
  await campaign.played(worker.app, 2 * HOUR);
  expect(await campaign.row(id)).toMatchObject({
    version_id: to,
    waiting_for: 'retry',
    next_attempt_at: before,
  });
  expect(calling.dials(number)).toHaveLength(1);
  await campaign.played(worker.app, 13 * HOUR + MINUTE);
  expect(calling.dials(number)).toHaveLength(2);
  // From here on by the new version, which has one retry left for it.
  await campaign.played(worker.app, 14 * HOUR + 2 * MINUTE);
  expect(calling.dials(number)).toHaveLength(3);
  const row = await campaign.row(id);
  expect(row).toMatchObject({ status: 'completed', end_reason: 'no_response' });
  expect(row.timeline).toContainEqual(expect.objectContaining({ kind: 'version', versionId: to }));
});

test('an enrollment that was not decided yet is not dialed before its first delay', async () => {
  const delayed = { steps: [{ key: 'first', after: 'PT5H' }] };
  const { campaign, migrate } = await start(delayed, { steps: [{ key: 'first' }] });
  const { to: number } = await campaign.enroll();
  await migrate().expect(202);
  await campaign.played(worker.app, HOUR);
  expect(calling.dials(number)).toHaveLength(0);
  await campaign.played(worker.app, 5 * HOUR + MINUTE);
  expect(calling.dials(number)).toHaveLength(1);
});

test('a missing step key is 409 and moves no enrollment; the dry run names the key', async () => {
  const [first, second] = [{ key: 'first' }, { key: 'second', after: 'PT13H' }];
  const { campaign, migrate } = await start({ steps: [first, second] }, { steps: [first] });
  const [waits, enters] = [await campaign.enroll(), await campaign.enroll()];
  await campaign.move(waits.id, 'pause');
  calling.setRules({ match: enters.to, outcome: 'no_answer' });
  await campaign.played(worker.app, 0);
  expect(await campaign.row(enters.id)).toMatchObject({ step: 'second' });
  const dry = await migrate('?dryRun=true');
  expect([dry.status, dry.body]).toMatchObject([
    200,
    {
      live: 2,
      missingSteps: ['second'],
      steps: [
        { step: null, exists: true },
        { step: 'second', exists: false },
      ],
    },
  ]);
  const answer = await migrate();
  const error = 'The version has no step second, where live enrollments are';
  expect([answer.status, answer.body]).toEqual([409, { error }]);
  await campaign.played(worker.app, MINUTE);
  for (const { id } of [waits, enters]) expect(await versionOf(campaign, id)).toBe(campaign.versionId);
});

test('a dry run returns what would change and changes nothing', async () => {
  const other = { ...retried('PT13H'), caps: { maxAttempts: 2 }, variables: { offer: 'spring' } };
  const { campaign, migrate } = await start(retried(), other);
  const { id } = await campaign.enroll();
  await campaign.move(id, 'pause');
  const answer = await migrate('?dryRun=true');
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      live: 1,
      steps: [{ step: null, live: 1, changes: ['maxAttempts', 'retry'] }],
      changes: ['variables', 'caps'],
    },
  ]);
  await campaign.played(worker.app, 0);
  expect(await versionOf(campaign, id)).toBe(campaign.versionId);
  expect((await migrate('?dryRun=yes')).status).toBe(400);
});

test('an active call is routed by the version that its enrollment is on then; ended enrollments stay', async () => {
  const other = { steps: [{ key: 'first', on: [{ outcome: 'completed', end: 'no_response' }] }] };
  const { campaign, to, migrate } = await start(retried(), other);
  const ended = await campaign.enroll();
  await campaign.played(worker.app, 0);
  const talks = await campaign.enroll();
  calling.setRules({ match: talks.to, outcome: 'completed', talkMs: 400 });
  await campaign.at(worker.app, 0);
  expect(await campaign.row(talks.id)).toMatchObject({ waiting_for: 'in_call' });
  await migrate().expect(202);
  await campaign.played(worker.app, 0);
  expect(await campaign.row(talks.id)).toMatchObject({
    version_id: to,
    status: 'completed',
    end_reason: 'no_response',
  });
  expect(await campaign.row(ended.id)).toMatchObject({
    version_id: campaign.versionId,
    end_reason: 'reached',
  });
  expect(calling.dials(talks.to)).toHaveLength(1);
});

test('many enrollments move in batches, also paused ones, and are counted on their current version', async () => {
  const waits = { steps: [{ key: 'first', after: 'P30D' }] };
  const { caller, campaign, to, migrate } = await start(waits, waits);
  await calling.db.query(
    `WITH contact AS (
       INSERT INTO contacts (team_id, phone_number) SELECT $1, '+1312' || 2000000 + n FROM generate_series(1, 1100) n RETURNING id
     )
     INSERT INTO enrollments (team_id, campaign_id, version_id, contact_id, status, waiting_for, next_attempt_at, look_at)
     SELECT $1, $2, $3, id, 'active', 'after', now() + interval '30 days', now() + interval '30 days' FROM contact`,
    [caller.teamId, campaign.id, campaign.versionId],
  );
  const paused = await campaign.enroll();
  await campaign.move(paused.id, 'pause');
  await migrate().expect(202);
  await campaign.at(worker.app, 0);
  const sql = 'SELECT version_id, count(*)::integer AS n FROM enrollments WHERE campaign_id = $1 GROUP BY 1';
  expect(await calling.db.query(sql, [campaign.id])).toEqual([{ version_id: to, n: 1101 }]);
  const migrating = 'SELECT FROM campaign_versions WHERE campaign_id = $1 AND migrates_to IS NOT NULL';
  expect(await calling.db.query<object[]>(migrating, [campaign.id])).toHaveLength(0);
});

test('until all enrollments are moved, the campaign claims no calls', async () => {
  const { campaign, to, migrate } = await start(retried(), retried());
  const [left, moved] = [await campaign.enroll(), await campaign.enroll()];
  const holder = await LockHolder.connect(calling);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM enrollments WHERE id = $1 FOR UPDATE', [left.id]);
  await migrate().expect(202);
  await campaign.at(worker.app, 0);
  expect([await versionOf(campaign, left.id), await versionOf(campaign, moved.id)]).toEqual([
    campaign.versionId,
    to,
  ]);
  expect(calling.dials(moved.to)).toEqual([]);
  await holder.query('ROLLBACK');
  await holder.close();
  await campaign.played(worker.app, 0);
  expect([left, moved].map((one) => calling.dials(one.to).length)).toEqual([1, 1]);
});

test('one version as both, unknown versions, and a second migration of the same versions are refused', async () => {
  const { caller, campaign, to, migrate } = await start(retried(), retried());
  await campaign.enroll();
  expect((await migrate('', to, to)).status).toBe(400);
  expect((await migrate('', caller.teamId)).status).toBe(404);
  expect((await migrate('', to, caller.teamId)).status).toBe(404);
  await migrate().expect(202);
  await migrate().expect(202);
  const back = await migrate('', campaign.versionId, to);
  expect([back.status, back.body]).toEqual([
    409,
    { error: 'Enrollments of one of the versions are being moved to another one' },
  ]);
});
