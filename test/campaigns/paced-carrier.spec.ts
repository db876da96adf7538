import { PacedCarrier } from '../../src/pacing/paced-carrier.js';
import { type CallRow } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, PlayedCampaign, runDue } from './support/played-campaign.js';

/*
 * "Carrier away, busy, or the dial too late", with a carrier that takes so many calls a second. The
 * simulator's dial log is the witness.
 */

const CALLS_PER_SECOND = 10;
const SECOND = 1_000;

const { calling, worker } = useCampaigns({
  configuration: { simulatorCallsPerSecond: CALLS_PER_SECOND },
});
afterEach(() => jest.restoreAllMocks());

const once = { steps: [{ key: 'first', after: 'PT0S' }] };

const start = (definition: object = {}) =>
  startCampaign(calling, { ...once, ...definition }, { team: { monthly_call_limit: 100 } });

const causesOf = ({ history }: CallRow) => history.map(({ cause }) => cause);

/** By the carrier's own log. */
function mostInOneSecond(): number {
  const instants = calling.dials().map(({ at }) => Date.parse(at));
  return Math.max(
    ...instants.map((start) => instants.filter((at) => at >= start && at < start + SECOND).length),
  );
}

test('429: each call ends failed and is never pending again; deferred 5 s, doubling to 5 min', async () => {
  const { caller, campaign } = await start();
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcome: 'throttled' });
  const pauses: number[] = [];
  for (let offset = 0; pauses.length < 8; offset += pauses.at(-1)! + SECOND) {
    await campaign.at(worker.app, offset);
    await runDue(worker.app);
    const call = (await calling.rows(caller.teamId)).at(-1) as CallRow;
    expect(call).toMatchObject({
      status: 'failed',
      reason: 'CARRIER_THROTTLED',
      processed_at: null,
      generation: 0,
    });
    expect(causesOf(call)).toEqual(['campaign', 'claimed', 'carrier_throttled']);
    const row = await campaign.row(id);
    expect(row).toMatchObject({ status: 'active', waiting_for: 'carrier' });
    pauses.push(row.next_attempt_at!.getTime() - (call.ended_at as Date).getTime());
  }
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * SECOND));
  expect(calling.dials(to)).toEqual([]);
  expect(Object.values(await calling.usage(caller.teamId))).toEqual([0]);
  expect(await worker.sweep()).toMatchObject({ woken: 0 });
  calling.setRules();
  await campaign.played(worker.app, HOUR);
  expect(calling.dials(to)).toHaveLength(1);
  expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
});

test('only the lifetime ends the deferrals', async () => {
  const { campaign } = await start({ caps: { lifetime: 'PT1H', maxAttempts: 1 } });
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcome: 'throttled' });
  for (const offset of [0, 6, 17, 38]) await campaign.at(worker.app, offset * SECOND);
  await runDue(worker.app);
  expect(await campaign.row(id)).toMatchObject({ status: 'active', waiting_for: 'carrier' });
  await campaign.at(worker.app, HOUR);
  expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'lifetime' });
  expect(calling.dials(to)).toEqual([]);
});

test('a dial that is too late for its pacing slot is not made or counted, and follows once after 5 s', async () => {
  const { caller, campaign } = await start();
  const { id, to } = await campaign.enroll();
  jest.spyOn(PacedCarrier.prototype, 'arrive').mockResolvedValueOnce(null);
  await campaign.at(worker.app, 0);
  await runDue(worker.app);
  expect(calling.dials(to)).toEqual([]);
  const [call] = await calling.rows(caller.teamId);
  expect(call).toMatchObject({ status: 'failed', reason: 'NOT_DIALED', processed_at: null });
  const row = await campaign.row(id);
  expect(row).toMatchObject({ status: 'active', waiting_for: 'carrier' });
  expect(row.next_attempt_at!.getTime()).toBe((call!.ended_at as Date).getTime() + 5 * SECOND);
  await campaign.played(worker.app, 6 * SECOND);
  expect(calling.dials(to)).toHaveLength(1);
  expect(Object.values(await calling.usage(caller.teamId))).toEqual([1]);
  expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
});

test('two workers keep the carrier’s limit of calls a second for campaigns, and dial each number once', async () => {
  const { campaign } = await start();
  const all = await campaign.enrollMany(3 * CALLS_PER_SECOND);
  const before = calling.dials().length;
  const dialed = jest.spyOn(PacedCarrier.prototype, 'dialed');
  const second = await calling.startIdleWorker();
  await eventually(
    async () => {
      await Promise.all([runDue(worker.app), runDue(second.app)]);
      return Promise.all(all.map(({ id }) => campaign.row(id)));
    },
    (rows) => rows.every(({ status }) => status === 'completed'),
    60_000,
  );
  expect(all.map(({ to }) => calling.dials(to).length)).toEqual(all.map(() => 1));
  expect(calling.dials().length - before).toBe(all.length);
  // The machine may hold a process up between its look at the clock and the dial, and nothing can make up for
  // it then.
  const upToNow = await Promise.all(dialed.mock.results.map(({ value }) => value as Promise<boolean>));
  const heldUp = upToNow.filter((isUp) => !isUp).length;
  expect(mostInOneSecond()).toBeLessThanOrEqual(CALLS_PER_SECOND + heldUp);
});

test('campaigns share the pacing slots of their carrier by their weights', async () => {
  const { caller, campaign: light } = await startCampaign(calling, once, {
    campaign: { pacing: { weight: 1 } },
  });
  const heavy = await PlayedCampaign.build(calling, caller, once, { pacing: { weight: 3 } });
  await light.enrollMany(CALLS_PER_SECOND);
  await heavy.enrollMany(CALLS_PER_SECOND);
  await light.at(worker.app, 0);
  const dials = await calling.db.query<{ campaign_id: string }[]>(
    'SELECT campaign_id FROM enrollment_dials WHERE team_id = $1 ORDER BY claimed_at',
    [caller.teamId],
  );
  const first = dials.slice(0, 12).map(({ campaign_id: id }) => id);
  expect(dials).toHaveLength(2 * CALLS_PER_SECOND);
  expect([light, heavy].map(({ id }) => first.filter((one) => one === id).length)).toEqual([3, 9]);
});

test('enrollments without a dial do not wait for the pacing slots of another campaign', async () => {
  const { caller, campaign: paced } = await start();
  const caps = { lifetime: 'PT1H', maxAttempts: 1 };
  const overdue = await PlayedCampaign.build(calling, caller, { ...once, caps });
  await paced.enrollMany(2 * CALLS_PER_SECOND);
  const ending = await overdue.enrollMany(6 * CALLS_PER_SECOND);
  await calling.db.query(
    `UPDATE enrollments SET created_at = created_at - interval '2 hours' WHERE campaign_id = $1`,
    [overdue.id],
  );
  await paced.at(worker.app, 0);
  const rows = await Promise.all(ending.map(({ id }) => overdue.row(id)));
  expect(new Set(rows.map(({ end_reason: reason }) => reason))).toEqual(new Set(['lifetime']));
  const [claims] = await calling.db.query<{ earlier: number }[]>(
    `SELECT count(*)::integer AS earlier FROM enrollment_dials
     WHERE campaign_id = $1 AND claimed_at < (SELECT max(ended_at) FROM enrollments WHERE campaign_id = $2)`,
    [paced.id, overdue.id],
  );
  expect(claims?.earlier).toBeLessThan(CALLS_PER_SECOND);
});
