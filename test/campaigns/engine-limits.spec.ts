import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { OutcomeService } from '../../src/dialing/outcome/outcome.service.js';
import { sabotageEnrollments } from '../../tools/faults/sabotage-enrollments.js';
import { planted } from '../faults/planted-campaigns.js';
import { nextNumber, type Row } from '../support/builders.js';
import { NEVER_MS } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { LockHolder } from '../support/lock-holder.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { insertCall, MINUTE, PlayedCampaign, runDue } from './support/played-campaign.js';
import { reportEnd } from './support/report-end.js';

/* How many calls campaigns have under way, and that no enrollment is dialed twice. */

const { calling, worker } = useCampaigns();
const other = calling.idleWorkerOfFile();

const once = { steps: [{ key: 'first', after: 'PT0S' }] };

const start = (definition: object = once, campaign: Row = {}, team: Row = {}) =>
  startCampaign(calling, definition, { campaign, team });

test('`maxConcurrentCalls` of the campaign and of the team limits active calls', async () => {
  for (const [row, team] of [
    [{ pacing: { maxConcurrentCalls: 2 } }, {}],
    [{}, { max_concurrent_calls: 2 }],
  ]) {
    const { caller, campaign } = await start(once, row, team);
    const all = await campaign.enrollMany(5);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
    await campaign.at(worker.app, 0);
    const active = (await calling.rows(caller.teamId)).filter(({ status }) => status === 'in_progress');
    expect(active).toHaveLength(2);
    const waiting = await Promise.all(all.map(({ id }) => campaign.row(id)));
    expect(waiting.filter(({ waiting_for: why }) => why === 'concurrency')).toHaveLength(3);
  }
});

test('`callsPerMinute` limits claims in any 60 seconds, from the answer that sets it', async () => {
  const { caller, campaign } = await start();
  await campaign.enrollMany(7);
  await campaign.patch({ pacing: { callsPerMinute: 3 } });
  await campaign.played(worker.app, 0);
  expect(await calling.rows(caller.teamId)).toHaveLength(3);
  await campaign.played(worker.app, 30_000);
  expect(await calling.rows(caller.teamId)).toHaveLength(3);
  await campaign.played(worker.app, MINUTE + 5_000);
  expect(await calling.rows(caller.teamId)).toHaveLength(6);
});

test('the runs of two workers at one instant dial each enrollment once', async () => {
  const { caller, campaign } = await start();
  const all = await campaign.enrollMany(40);
  calling.setRules();
  await Promise.all([campaign.at(worker.app, 0), runDue(other.app), runDue(worker.app), runDue(other.app)]);
  await eventually(
    async () => {
      await Promise.all([runDue(worker.app), runDue(other.app)]);
      return Promise.all(all.map(({ id }) => campaign.row(id)));
    },
    (rows) => rows.every(({ status }) => status === 'completed'),
  );
  const dialed = all.map(({ to }) => calling.dials(to).length);
  expect(dialed).toEqual(all.map(() => 1));
  expect(await calling.rows(caller.teamId)).toHaveLength(40);
});

test.each(['maxConcurrentCalls', 'callsPerMinute'])('`%s` holds across two workers', async (limit) => {
  const { caller, campaign } = await start(once, { pacing: { [limit]: 5 } });
  await campaign.enrollMany(20);
  calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
  for (let time = 0; time < 3; time += 1) await Promise.all([runDue(worker.app), runDue(other.app)]);
  expect(await calling.rows(caller.teamId)).toHaveLength(5);
});

test('the campaigns of a team share its concurrency slots by their weights', async () => {
  const { caller, campaign: light } = await start(
    once,
    { pacing: { weight: 1 } },
    { max_concurrent_calls: 8 },
  );
  const heavy = await PlayedCampaign.build(calling, caller, once, { pacing: { weight: 3 } });
  await light.enrollMany(10);
  await heavy.enrollMany(10);
  calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
  await light.at(worker.app, 0);
  const shares = await calling.db.query<{ campaign_id: string; dials: number }[]>(
    `SELECT campaign_id, count(*)::integer AS dials FROM enrollment_dials WHERE team_id = $1 GROUP BY 1`,
    [caller.teamId],
  );
  const of = ({ id }: PlayedCampaign) => shares.find(({ campaign_id: one }) => one === id)?.dials;
  expect([of(light), of(heavy)]).toEqual([2, 6]);
});

test('a triggered call that waits for a concurrency slot precedes the team’s campaigns', async () => {
  const { caller, campaign } = await start(once, {}, { max_concurrent_calls: 1 });
  const [first, second] = [await campaign.enroll(), await campaign.enroll()];
  calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
  await campaign.at(worker.app, 0);
  const own = await calling.accepted(caller, { phoneNumber: nextNumber() });
  expect(await worker.fire(own)).toEqual({ kind: 'waiting' });
  const dialed = () => [first, second].flatMap(({ to }) => calling.dials(to));
  expect(dialed()).toHaveLength(1);
  await reportEnd(calling, dialed()[0]!.to);
  await runDue(worker.app);
  expect(dialed()).toHaveLength(1);
});

test('a call that was not dialed after all does not defer an enrollment by 12 hours', async () => {
  const { caller, campaign } = await start();
  const { id, to, contactId } = await campaign.enroll();
  const [other, now] = [randomUUID(), new Date()];
  await insertCall(calling, caller, contactId, to, {
    id: other,
    status: 'dialing',
    carrier: 'simulator',
    caller_id: caller.callerNumber,
    claimed_at: now,
    processed_at: now,
  });
  await campaign.at(worker.app, 0);
  expect(await campaign.row(id)).toMatchObject({ waiting_for: 'RECENTLY_CALLED' });
  await worker.app.get(OutcomeService, { strict: false }).failUndialed(other, 'not_dialed', 'NOT_DIALED');
  await campaign.played(worker.app, MINUTE);
  expect(calling.dials(to)).toHaveLength(1);
  expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
});

// The last test: it takes the protection from the file's database.
test('without locks and the key of dials, two workers dial one attempt twice, and the fault harness finds it', async () => {
  const { caller, campaign } = await start();
  const pool = new Pool({ connectionString: calling.world.config.databaseUrl });
  const holder = await LockHolder.connect(calling);
  const waiting = `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  calling.setRules();
  try {
    await sabotageEnrollments(pool);
    // A worker that waits for longer than its lock timeout gives up, as on a busy machine: then another
    // enrollment is tried.
    const dialed = await eventually(
      async () => {
        const { id, to } = await campaign.enroll();
        await holder.query('BEGIN');
        await holder.query('SELECT FROM enrollments WHERE id = $1 FOR UPDATE', [id]);
        const runs = Promise.all([campaign.at(worker.app, 0), runDue(other.app)]);
        const both = eventually(
          () => calling.db.query<{ count: number }[]>(waiting),
          ([row]) => (row?.count ?? 0) >= 2,
          5_000,
        );
        await both.catch(() => undefined);
        await holder.query('COMMIT');
        await runs;
        return calling.dials(to).length;
      },
      (times) => times === 2,
    );
    expect(dialed).toBe(2);
  } finally {
    await holder.close();
    await pool.end();
  }
  const dials = await calling.db.query<{ enrollment_id: string; seq: number; claimed_at: Date }[]>(
    `SELECT enrollment_id, seq, claimed_at FROM enrollment_dials WHERE team_id = $1`,
    [caller.teamId],
  );
  const history = planted();
  for (const { enrollment_id: id, seq, claimed_at: at } of dials) history.attempt(id, seq, at.getTime());
  expect(history.kinds()).toContain('attempt twice');
});
