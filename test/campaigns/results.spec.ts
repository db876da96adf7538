import { type Row } from '../support/builders.js';
import { moveClock } from '../support/clock.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, MINUTE } from './support/played-campaign.js';

/*
 * Dispositions: what the result of a call does to its enrollment, played by a worker on a moved clock. The
 * simulator's dial log is the witness.
 */

const { calling, worker } = useCampaigns();

const ON = [
  { disposition: 'interested', goal: true },
  { disposition: 'call_later', callback: true },
  { disposition: 'wrong_person', next: 'second' },
  { disposition: 'no', end: 'no_response' },
];
const first = { key: 'first', retry: { no_answer: ['PT13H'] }, on: ON };
const steps = [first, { key: 'second', after: 'PT13H' }];

const start = (definition: object = { steps }, team: Row = {}, agent: Row = {}) =>
  startCampaign(calling, definition, { team, agent });

/** An enrollment whose first call is completed, at the clock's beginning. */
async function called(definition?: object, team?: Record<string, unknown>) {
  const { caller, campaign } = await start(definition, team);
  const enrolled = await campaign.enroll();
  await campaign.played(worker.app, 0);
  expect(await campaign.row(enrolled.id)).toMatchObject({ status: 'active', waiting_for: 'result' });
  return { caller, campaign, ...enrolled };
}

const inside = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('the result of a completed call of a step with dispositions', () => {
  test('is awaited for 15 minutes, then the plain rules apply; a later one routes nothing', async () => {
    const { campaign, id, to } = await called();
    const row = await campaign.row(id);
    expect(row.next_attempt_at).toBeNull();
    await campaign.played(worker.app, 14 * MINUTE);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'result' });
    await campaign.played(worker.app, 15 * MINUTE + 5_000);
    expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
    expect((await campaign.report(id, { disposition: 'wrong_person' })).status).toBe(200);
    await campaign.played(worker.app, 20 * HOUR);
    const late = await campaign.row(id);
    expect(late).toMatchObject({ status: 'completed', end_reason: 'reached' });
    expect(late.timeline.at(-1)).toMatchObject({ kind: 'result', goal: false, optOut: false });
    expect(calling.dials(to)).toHaveLength(1);
  });

  test.each([
    ['interested', { status: 'completed', end_reason: 'goal' }],
    ['no', { status: 'completed', end_reason: 'no_response' }],
    ['other', { status: 'completed', end_reason: 'reached' }],
    ['wrong_person', { status: 'active', step: 'second', waiting_for: 'after' }],
    // Without the instant of a callback, its entry does not match.
    ['call_later', { status: 'completed', end_reason: 'reached' }],
  ])('with %s routes the enrollment at once', async (disposition, expected) => {
    const { campaign, id } = await called();
    expect((await campaign.report(id, { disposition })).status).toBe(200);
    await campaign.played(worker.app, MINUTE);
    expect(await campaign.row(id)).toMatchObject(expected);
  });

  test('without a disposition ends the wait', async () => {
    const { campaign, id } = await called();
    expect((await campaign.report(id, { data: { heard: true } })).status).toBe(200);
    await campaign.played(worker.app, MINUTE);
    expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
  });

  test('reported by the simulator routes the enrollment', async () => {
    const { campaign } = await start();
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'completed', result: { disposition: 'interested' } });
    await campaign.played(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'goal' });
  });
});

describe('a requested callback', () => {
  test('is dialed once at its instant; an instant in the past means now', async () => {
    const team = { retry_within_redial_window: true };
    const { campaign, id, to } = await called({ steps, caps: { afterConversation: 'P7D' } }, team);
    await campaign.report(id, { disposition: 'call_later', callbackAt: inside(HOUR) });
    await campaign.played(worker.app, 59 * MINUTE);
    expect(calling.dials(to)).toHaveLength(1);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'callback' });
    await campaign.played(worker.app, HOUR + 5_000);
    expect(calling.dials(to)).toHaveLength(2);
    await campaign.report(id, { disposition: 'call_later', callbackAt: inside(-22 * HOUR) });
    await campaign.played(worker.app, HOUR + MINUTE);
    await campaign.played(worker.app, HOUR + 2 * MINUTE);
    expect(calling.dials(to)).toHaveLength(3);
    const { timeline } = await campaign.row(id);
    expect(timeline.filter(({ kind }) => kind === 'dial').map(({ callback }) => callback)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('outside calling hours is dialed at the next opening', async () => {
    const { caller, campaign, id, to } = await called(undefined, { retry_within_redial_window: true });
    // Open for an hour that begins in five hours, each day.
    const [start, end] = [5, 6].map((hours) => inside(hours * HOUR).slice(11, 16));
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    const hours = Object.fromEntries(days.map((day) => [day, [{ start, end }]]));
    await calling.db.query(`UPDATE voice_agents SET timezone = 'UTC', calling_hours = $2 WHERE id = $1`, [
      caller.agentId,
      hours,
    ]);
    await campaign.report(id, { disposition: 'call_later', callbackAt: inside(HOUR) });
    await campaign.played(worker.app, 2 * HOUR);
    expect(calling.dials(to)).toHaveLength(1);
    const { next_attempt_at: opening } = await campaign.row(id);
    expect(opening?.toISOString().slice(11, 16)).toBe(start);
    await campaign.played(worker.app, opening!.getTime() - Date.now() + 1_000);
    expect(calling.dials(to)).toHaveLength(2);
  });

  test('is not exempt from the re-dial window without the team’s setting, nor from the caps per number', async () => {
    const { campaign, id, to } = await called();
    await campaign.report(id, { disposition: 'call_later', callbackAt: inside(HOUR) });
    await campaign.played(worker.app, 2 * HOUR);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'RECENTLY_CALLED' });
    await campaign.played(worker.app, 12 * HOUR + MINUTE);
    expect(calling.dials(to)).toHaveLength(2);

    await moveClock(calling.db, '0 seconds');
    const capped = await called(
      { steps, caps: { perNumber: [{ count: 1, per: 'PT24H' }] } },
      { retry_within_redial_window: true },
    );
    await capped.campaign.report(capped.id, { disposition: 'call_later', callbackAt: inside(HOUR) });
    await capped.campaign.played(worker.app, 2 * HOUR);
    expect(await capped.campaign.row(capped.id)).toMatchObject({ waiting_for: 'caps' });
    expect(calling.dials(capped.to)).toHaveLength(1);
  });

  test('is not exempt from a limit of the number, and not made to a number on the Do Not Call list', async () => {
    const team = { retry_within_redial_window: true };
    const { campaign, id, to } = await called(undefined, { ...team, number_daily_limit: 1 });
    await campaign.report(id, { disposition: 'call_later', callbackAt: inside(HOUR) });
    await campaign.played(worker.app, 2 * HOUR);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'NUMBER_LIMIT_DAILY' });
    expect(calling.dials(to)).toHaveLength(1);

    await moveClock(calling.db, '0 seconds');
    const listed = await called(undefined, team);
    await listed.campaign.report(listed.id, { disposition: 'call_later', callbackAt: inside(HOUR) });
    await calling.operated('post', `/teams/${listed.caller.teamId}/do-not-call`, {
      phoneNumbers: [listed.to],
    });
    await listed.campaign.played(worker.app, 2 * HOUR);
    expect(await listed.campaign.row(listed.id)).toMatchObject({ end_reason: 'suppressed' });
    expect(calling.dials(listed.to)).toHaveLength(1);
  });

  test('counts for caps, but not for the attempts of its step', async () => {
    const team = { retry_within_redial_window: true };
    const { campaign, id, to } = await called({ steps, caps: { maxAttempts: 3 } }, team);
    await campaign.report(id, { disposition: 'call_later', callbackAt: inside(HOUR) });
    calling.setRules({ match: to, outcome: 'no_answer' });
    await campaign.played(worker.app, HOUR + MINUTE);
    // The one retry of the step is still there, and then the cap of the entry is spent.
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'retry' });
    calling.setRules({
      match: to,
      outcome: 'completed',
      result: { disposition: 'call_later', callbackAt: inside(-HOUR) },
    });
    await campaign.played(worker.app, 15 * HOUR);
    expect(calling.dials(to)).toHaveLength(3);
    expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'caps' });
  });
});

describe('a goal', () => {
  test('that is reported late ends the enrollment in any step, and no call follows', async () => {
    const on = [ON[0], { outcome: 'completed', next: 'second' }];
    const { campaign, id, to } = await called({ steps: [{ ...first, on }, steps[1]] });
    await campaign.played(worker.app, HOUR);
    expect(await campaign.row(id)).toMatchObject({ step: 'second', waiting_for: 'after' });
    await campaign.report(id, { disposition: 'interested' });
    await campaign.played(worker.app, 14 * HOUR);
    expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'goal' });
    expect(calling.dials(to)).toHaveLength(1);
  });

  test('counts for an enrollment that the plain rules have completed, but not for an exited one', async () => {
    const { caller, campaign, id } = await called();
    await campaign.played(worker.app, HOUR);
    expect(await campaign.row(id)).toMatchObject({ end_reason: 'reached' });
    await campaign.report(id, { disposition: 'interested' });
    const row = await campaign.row(id);
    expect(row).toMatchObject({ status: 'completed', end_reason: 'goal' });
    expect(row.timeline.at(-1)).toMatchObject({ kind: 'result', goal: true });
    const stats = await calling.operator('get', `/teams/${caller.teamId}/campaigns/${campaign.id}/stats`);
    expect(stats.body).toMatchObject({ goals: 1, ended: { goal: 1 } });

    await moveClock(calling.db, '0 seconds');
    const exited = await called();
    await exited.campaign.move(exited.id, 'exit');
    await exited.campaign.report(exited.id, { disposition: 'interested' });
    expect(await exited.campaign.row(exited.id)).toMatchObject({ status: 'exited', end_reason: 'manual' });
    expect((await exited.campaign.row(exited.id)).timeline.at(-1)).toMatchObject({
      kind: 'result',
      goal: true,
    });
  });

  test('counts for a voicemail, and while the enrollment is paused', async () => {
    const { campaign } = await start();
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'no_answer' });
    await campaign.played(worker.app, 0);
    await campaign.move(id, 'pause');
    await campaign.report(id, { disposition: 'interested' });
    await campaign.played(worker.app, MINUTE);
    expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'goal' });
  });
});
