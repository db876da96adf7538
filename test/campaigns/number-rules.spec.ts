import { type SimulatorOutcome } from '../../src/carriers/simulator/rules.js';
import { type Row } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { stopClock } from '../support/clock.js';
import { bearer, NEVER_MS } from '../support/calling.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, insertCall, MINUTE, PlayedCampaign, runDue } from './support/played-campaign.js';

/*
 * Enrollments beside other calls to their numbers, the order in which enrollments are called, and opt-outs of
 * a number. The simulator's dial log is the witness.
 */

const { calling, worker } = useCampaigns();

const once = { steps: [{ key: 'first' }] };

async function start(definition: Row = once, team: Row = {}, row: Row = {}) {
  const caller = await buildCaller(calling.db, team);
  return { caller, campaign: await PlayedCampaign.build(calling, caller, definition, row) };
}

describe('retryWithinRedialWindow exempts the same enrollment’s busy, no_answer and failed attempts, nothing else', () => {
  const retry = Object.fromEntries(
    ['busy', 'no_answer', 'failed', 'voicemail'].map((outcome) => [outcome, ['PT1H']]),
  );
  test.each<[SimulatorOutcome, number]>([
    ['busy', 2],
    ['no_answer', 2],
    ['failed', 2],
    ['voicemail', 1],
  ])('after %s there are %i dials in two hours', async (outcome, dials) => {
    const { campaign } = await start(
      { steps: [{ key: 'first', retry }] },
      { retry_within_redial_window: true },
    );
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome });
    await campaign.played(worker.app, 0);
    await campaign.played(worker.app, 2 * HOUR);
    expect(calling.dials(to)).toHaveLength(dials);
    if (dials === 1) expect(await campaign.row(id)).toMatchObject({ waiting_for: 'RECENTLY_CALLED' });
  });

  test('not the attempts of another enrollment of the contact', async () => {
    const { caller, campaign } = await start(once, { retry_within_redial_window: true });
    const other = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'PT1H' }] });
    const { to, contactId } = await campaign.enroll();
    const body = { contactId, campaignId: other.id };
    const enrolling = calling.http().post('/api/campaigns/enrollments').set(bearer(caller.apiKey));
    const answer = await enrolling.send(body).expect(201);
    calling.setRules({ match: to, outcome: 'busy' });
    await campaign.played(worker.app, 0);
    await campaign.played(worker.app, 2 * HOUR);
    const { enrollmentId } = answer.body as { enrollmentId: string };
    expect(await campaign.row(enrollmentId)).toMatchObject({ waiting_for: 'RECENTLY_CALLED' });
    await campaign.played(worker.app, 11 * HOUR);
    expect(calling.dials(to)).toHaveLength(1);
    await campaign.played(worker.app, 12 * HOUR + MINUTE);
    expect(calling.dials(to)).toHaveLength(2);
  });
});

test('a waiting attempt is not a call request: the team’s own trigger to the number is accepted and dialed', async () => {
  const { caller, campaign } = await start({ steps: [{ key: 'first', after: 'PT1H' }] });
  const { id, to } = await campaign.enroll();
  await campaign.at(worker.app, 0);
  expect(await calling.rows(caller.teamId)).toEqual([]);
  const own = await calling.accepted(caller, { phoneNumber: to });
  await worker.fire(own);
  await calling.until(caller, own, 'completed');
  expect(calling.dials(to)).toHaveLength(1);
  await campaign.at(worker.app, 2 * HOUR);
  expect(await campaign.row(id)).toMatchObject({ waiting_for: 'RECENTLY_CALLED' });
  await campaign.played(worker.app, 12 * HOUR + MINUTE);
  expect(calling.dials(to)).toHaveLength(2);
});

test('another call to the number pending: at the latest until its expiry', async () => {
  const { caller, campaign } = await start();
  const { id, to, contactId } = await campaign.enroll();
  const [runsAt, expiresAt] = [HOUR, 2 * HOUR].map((ms) => new Date(Date.now() + ms));
  await insertCall(calling, caller, contactId, to, {
    status: 'scheduled',
    runs_at: runsAt,
    expires_at: expiresAt,
  });
  await campaign.at(worker.app, 0);
  const row = await campaign.row(id);
  expect(row).toMatchObject({ waiting_for: 'number_busy', next_attempt_at: expiresAt });
  await stopClock(calling.db, new Date(expiresAt!.getTime() - 1).toISOString());
  await runDue(worker.app);
  expect(calling.dials(to)).toEqual([]);
  await stopClock(calling.db, expiresAt!.toISOString());
  await runDue(worker.app);
  expect(calling.dials(to)).toHaveLength(1);
});

test('seq numbers the call requests, dialed or not; budgets and attempts count those that were dialed', async () => {
  const { caller, campaign } = await start({ ...once, caps: { maxAttempts: 1 } });
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcomes: ['throttled', 'refuse', 'completed'] });
  for (const offset of [0, MINUTE, 10 * MINUTE]) await campaign.played(worker.app, offset);
  const row = await campaign.row(id);
  expect(row).toMatchObject({ status: 'completed', end_reason: 'reached' });
  expect(row.timeline.filter(({ kind }) => kind === 'dial').map(({ seq }) => seq)).toEqual([1, 2, 3]);
  const path = `/teams/${caller.teamId}/campaigns/${campaign.id}/enrollments/${id}`;
  expect((await calling.operator('get', path)).body).toMatchObject({ attempts: 1 });
});

test('resume releases by pacing, once each', async () => {
  const { campaign } = await start(once, {}, { pacing: { callsPerMinute: 2 } });
  const all = await campaign.enrollMany(5);
  await campaign.patch({ status: 'paused' });
  await campaign.played(worker.app, 0);
  await campaign.patch({ status: 'active' });
  const dialed = () => all.map(({ to }) => calling.dials(to).length).sort();
  for (const [minutes, expected] of [
    [1, [0, 0, 0, 1, 1]],
    [3, [0, 1, 1, 1, 1]],
    [5, [1, 1, 1, 1, 1]],
    [7, [1, 1, 1, 1, 1]],
  ] as const) {
    await campaign.played(worker.app, minutes * MINUTE);
    expect(dialed()).toEqual(expected);
  }
});

test('within a campaign, the enrollment that was due first is called first', async () => {
  const { campaign } = await start(
    { steps: [{ key: 'first', after: 'PT1H' }] },
    {},
    { pacing: { maxConcurrentCalls: 1 } },
  );
  const [first, second] = [await campaign.enroll(), await campaign.enroll()];
  await calling.db.query(
    `UPDATE enrollments SET created_at = created_at - interval '30 minutes' WHERE id = $1`,
    [second.id],
  );
  calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
  await campaign.at(worker.app, 0);
  await campaign.at(worker.app, 2 * HOUR);
  expect(calling.dials(second.to)).toHaveLength(1);
  expect(calling.dials(first.to)).toEqual([]);
});

test('an archived campaign’s enrollments end in batches, in the order of their ids', async () => {
  const { campaign } = await start({ steps: [{ key: 'first', after: 'P1D' }] });
  const ids = (await campaign.enrollMany(5)).map(({ id }) => id).sort();
  await campaign.patch({ status: 'archived' });
  for (const ended of [2, 4, 5]) {
    await calling.db.query('SELECT end_archived_enrollments(2)');
    const rows = await Promise.all(ids.map((id) => campaign.row(id)));
    const reasons = rows.map(({ end_reason: reason }) => reason);
    expect(reasons).toEqual(ids.map((_, index) => (index < ended ? 'archived' : null)));
  }
});

describe('a result that opts out', () => {
  const ON = [{ disposition: 'interested', goal: true }];
  const first = { key: 'first', on: ON };
  const steps = [first, { key: 'second', after: 'PT13H' }];

  /** An enrollment whose first call is completed, at the clock's beginning. */
  async function called(definition: Record<string, unknown> = { steps }) {
    const { caller, campaign } = await startCampaign(calling, definition);
    const enrolled = await campaign.enroll();
    await campaign.played(worker.app, 0);
    expect(await campaign.row(enrolled.id)).toMatchObject({ status: 'active', waiting_for: 'result' });
    return { caller, campaign, ...enrolled };
  }

  describe('an opt-out is always applied', () => {
    test('and ends every live enrollment of the number in the transaction of the answer', async () => {
      const { caller, campaign, id, to, contactId } = await called();
      const other = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'P1D' }] });
      const body = { contactId, campaignId: other.id };
      const answer = await calling
        .http()
        .post('/api/campaigns/enrollments')
        .set({ Authorization: `Bearer ${caller.apiKey}` })
        .send(body);
      const second = (answer.body as { enrollmentId: string }).enrollmentId;
      expect((await campaign.report(id, { disposition: 'interested', optOut: true })).status).toBe(200);
      // The result of the first also reaches its goal.
      for (const [one, status, end_reason] of [
        [id, 'completed', 'goal'],
        [second, 'exited', 'suppressed'],
      ] as const) {
        expect(await campaign.row(one)).toMatchObject({ status, end_reason, look_at: null });
      }
      const { timeline } = await campaign.row(id);
      expect(timeline.slice(-2).map(({ kind }) => kind)).toEqual(['result', 'ended']);
      await campaign.played(worker.app, 30 * HOUR);
      expect(calling.dials(to)).toHaveLength(1);
    });

    test.each([
      ['late', 2 * HOUR],
      ['after the enrollment has ended', 40 * HOUR],
    ])('%s', async (_, offset) => {
      const on = [ON[0], { outcome: 'completed', next: 'second' }];
      const { caller, campaign, id, to } = await called({ steps: [{ ...first, on }, steps[1]] });
      await campaign.played(worker.app, HOUR);
      await campaign.played(worker.app, offset);
      const [call = ''] = await campaign.calls(id);
      expect((await calling.report(caller, call, { optOut: true })).status).toBe(200);
      const entry = await calling.operator(
        'get',
        `/teams/${caller.teamId}/do-not-call/${encodeURIComponent(to)}`,
      );
      expect(entry.body).toMatchObject({ reason: `Opted out in call ${call}` });
      const live = ['active', 'paused'];
      expect(live).not.toContain((await campaign.row(id)).status);
    });
  });
});
