import { randomUUID } from 'node:crypto';
import { type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, insertCall, MINUTE, PlayedCampaign } from './support/played-campaign.js';

/*
 * Each row of the table of what happens to an enrollment, played by a worker on a moved clock. The
 * simulator's dial log is the witness.
 */

const { calling, worker } = useCampaigns({ recounted: true });

const retried = {
  steps: [{ key: 'first', after: 'PT0S', retry: { no_answer: ['PT13H', 'PT14H'], busy: ['PT13H'] } }],
};

const start = (definition: object = retried, team: Row = {}, agent: Row = {}) =>
  startCampaign(calling, definition, { team, agent });

const rule = (
  to: string,
  outcome: 'no_answer' | 'busy' | 'completed' | 'refuse' | 'throttled' | 'hang' | 'failed',
) => calling.setRules({ match: to, outcome });

/** A call that was processed and ended at an instant. */
const endedAt = (at: Date, status: string, { callerNumber }: Caller) => ({
  status,
  claimed_at: at,
  processed_at: at,
  ended_at: at,
  caller_id: callerNumber,
});

const kinds = (row: { timeline: { kind: string }[] }) => row.timeline.map(({ kind }) => kind);

describe('an enrollment is called', () => {
  test('at once, and ends reached when the call is completed', async () => {
    const { campaign } = await start();
    const { id, to } = await campaign.enroll();
    await campaign.played(worker.app, 0);
    expect(calling.dials(to)).toHaveLength(1);
    const row = await campaign.row(id);
    expect(row).toMatchObject({
      status: 'completed',
      end_reason: 'reached',
      waiting_for: null,
      look_at: null,
    });
    expect(kinds(row)).toEqual(['dial', 'call', 'ended']);
    const [dial] = await calling.db.query<object[]>(
      'SELECT * FROM enrollment_dials WHERE enrollment_id = $1',
      [id],
    );
    expect(dial).toMatchObject({ seq: 1, step: 'first', callback: false });
    const [call] = await calling.rows(campaign.caller.teamId);
    expect(call).toMatchObject({ status: 'completed', enrollment_id: id });
    expect(call?.history.map(({ cause }) => cause).slice(0, 2)).toEqual(['campaign', 'claimed']);
  });

  test('and who refused an ended call is told in its entry of the timeline', async () => {
    const { campaign } = await start();
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'declined' });
    await campaign.played(worker.app, 0);
    const { timeline } = await campaign.row(id);
    const calls = timeline.filter(({ kind }) => kind === 'call');
    expect(calls).toMatchObject([{ status: 'failed', reason: 'declined' }]);
    expect(timeline.every(({ at, kind }) => at && kind)).toBe(true);
  });

  test('not by a version that was stored before campaigns called', async () => {
    const caller = await buildCaller(calling.db);
    const campaign = await PlayedCampaign.build(calling, caller, retried, { format: null });
    const { id, to } = await campaign.enroll();
    await campaign.played(worker.app, 0);
    expect(calling.dials(to)).toEqual([]);
    expect(await campaign.row(id)).toMatchObject({
      status: 'active',
      look_at: null,
      waiting_for: 'no_steps',
    });
  });

  test('`after` counts from enrollment; retries count from the recorded end, until they are used up', async () => {
    const { campaign } = await start({ steps: [{ ...retried.steps[0], after: 'PT1H' }] });
    const { id, to } = await campaign.enroll();
    rule(to, 'no_answer');
    await campaign.played(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'after' });
    const { next_attempt_at: due, created_at: enrolledAt } = await campaign.row(id);
    expect(due?.getTime()).toBe(enrolledAt.getTime() + HOUR);
    await campaign.played(worker.app, HOUR - MINUTE);
    expect(calling.dials(to)).toHaveLength(0);
    await campaign.played(worker.app, HOUR + MINUTE);
    expect(calling.dials(to)).toHaveLength(1);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'retry' });
    await campaign.played(worker.app, 14 * HOUR);
    expect(calling.dials(to)).toHaveLength(1);
    await campaign.played(worker.app, 14 * HOUR + 2 * MINUTE);
    expect(calling.dials(to)).toHaveLength(2);
    await campaign.played(worker.app, 29 * HOUR);
    expect(calling.dials(to)).toHaveLength(3);
    expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'no_response' });
    await campaign.played(worker.app, 60 * HOUR);
    expect(calling.dials(to)).toHaveLength(3);
  });

  test('and its agent knows which attempt it is, and how the call before ended', async () => {
    const prompt = '{{attempt.number}} {{attempt.isLast}} {{previous.outcome | none}}';
    const steps = [{ key: 'first', after: 'PT0S', retry: { no_answer: ['PT13H', 'PT14H'] } }];
    const { campaign } = await start({ steps }, {}, { prompt_template: prompt });
    const { to } = await campaign.enroll();
    rule(to, 'no_answer');
    for (const at of [0, 14 * HOUR, 29 * HOUR]) await campaign.played(worker.app, at);
    const calls = await calling.rows(campaign.caller.teamId);
    const prompts = await Promise.all(
      calls.map(async ({ id }) => (await calling.get(campaign.caller, id)).body as { prompt: string }),
    );
    expect(prompts.map((call) => call.prompt)).toEqual([
      '1 false none',
      '2 false no_answer',
      '3 true no_answer',
    ]);
  });

  test('by the next step if the first had no response', async () => {
    const { campaign } = await start({
      steps: [
        { key: 'first', after: 'PT0S' },
        { key: 'second', after: 'PT13H' },
      ],
    });
    const { id, to } = await campaign.enroll();
    rule(to, 'no_answer');
    await campaign.played(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({ step: 'second', waiting_for: 'after' });
    rule(to, 'completed');
    await campaign.played(worker.app, 13 * HOUR + MINUTE);
    expect(calling.dials(to)).toHaveLength(2);
    expect(await campaign.row(id)).toMatchObject({
      status: 'completed',
      end_reason: 'reached',
      step: 'second',
    });
  });
});

describe('a refusal by time defers the dial', () => {
  test('outside calling hours, to the opening', async () => {
    const { campaign } = await start(
      retried,
      {},
      { calling_hours: JSON.stringify({ monday: [] }), timezone: 'UTC' },
    );
    await calling.db.query(`UPDATE voice_agents SET calling_hours = $2 WHERE id = $1`, [
      campaign.caller.agentId,
      hoursFrom(new Date(Date.now() + 3 * HOUR)),
    ]);
    const { id, to } = await campaign.enroll();
    await campaign.played(worker.app, 0);
    const row = await campaign.row(id);
    expect(row).toMatchObject({ waiting_for: 'hours', status: 'active' });
    expect(calling.dials(to)).toEqual([]);
    await campaign.played(worker.app, row.next_attempt_at!.getTime() - Date.now() + 1_000);
    expect(calling.dials(to)).toHaveLength(1);
  });

  test('within the re-dial window, to its end', async () => {
    const { caller, campaign } = await start();
    const { id, to, contactId } = await campaign.enroll();
    const at = new Date(Date.now() - HOUR);
    await insertCall(calling, caller, contactId, to, endedAt(at, 'completed', caller));
    await campaign.played(worker.app, 0);
    const row = await campaign.row(id);
    expect(row.waiting_for).toBe('RECENTLY_CALLED');
    expect(row.next_attempt_at?.getTime()).toBe(at.getTime() + 12 * HOUR);
    expect(calling.dials(to)).toEqual([]);
    await campaign.played(worker.app, 11 * HOUR + MINUTE);
    expect(calling.dials(to)).toHaveLength(1);
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('`retryWithinRedialWindow` %p: a retry after 15 minutes dials %p times', async (allowed, more) => {
    const { campaign } = await start(
      { steps: [{ key: 'first', after: 'PT0S', retry: { busy: ['PT15M'] } }] },
      { retry_within_redial_window: allowed },
    );
    const { to } = await campaign.enroll();
    rule(to, 'busy');
    await campaign.played(worker.app, 0);
    await campaign.played(worker.app, 16 * MINUTE);
    expect(calling.dials(to)).toHaveLength(1 + more);
  });

  test('caps per number count all processed calls of the team', async () => {
    const { caller, campaign } = await start({
      ...retried,
      caps: { perNumber: [{ count: 1, per: 'PT24H' }] },
    });
    const { id, to, contactId } = await campaign.enroll();
    const at = new Date(Date.now() - 13 * HOUR);
    await insertCall(calling, caller, contactId, to, endedAt(at, 'no_answer', caller));
    await campaign.played(worker.app, 0);
    const row = await campaign.row(id);
    expect(row.waiting_for).toBe('caps');
    expect(row.next_attempt_at?.getTime()).toBe(at.getTime() + 24 * HOUR);
    expect(calling.dials(to)).toEqual([]);
  });

  test('while another call to the number is pending, to its end', async () => {
    const { caller, campaign } = await start();
    const { id, to, contactId } = await campaign.enroll();
    const pending = { id: randomUUID(), status: 'scheduled', runs_at: new Date(Date.now() + HOUR) };
    await insertCall(calling, caller, contactId, to, pending);
    await campaign.played(worker.app, 0).catch(() => undefined);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'number_busy' });
    expect(calling.dials(to)).toEqual([]);
    await calling.cancel(caller, pending.id).expect(200);
    await campaign.played(worker.app, 11 * MINUTE);
    expect(calling.dials(to)).toHaveLength(1);
  });
});

describe('a refusal by configuration holds the enrollment', () => {
  test.each([
    ['PLAN_LIMIT', 'UPDATE teams SET monthly_call_limit = $2 WHERE id = $1', 0, null],
    ['COUNTRY_NOT_ALLOWED', 'UPDATE teams SET allowed_countries = $2 WHERE id = $1', ['DE'], null],
    ['NOT_WHITELISTED', 'UPDATE teams SET whitelist_only = $2 WHERE id = $1', true, false],
    ['caller_id', 'UPDATE phone_numbers SET active = NOT $2 WHERE team_id = $1', true, false],
  ])('%s: decided again within 60 s of a change', async (waitingFor, statement, refusing, allowing) => {
    const { caller, campaign } = await start();
    const { id, to } = await campaign.enroll();
    await calling.db.query(statement, [caller.teamId, refusing]);
    await campaign.played(worker.app, 0);
    const row = await campaign.row(id);
    expect(row.status).toBe('active');
    expect(row.waiting_for).toBe(waitingFor);
    expect(row.timeline).toMatchObject([{ kind: 'held', waitingFor }]);
    expect(calling.dials(to)).toEqual([]);
    expect(await calling.rows(caller.teamId)).toEqual([]);
    await calling.db.query(statement, [caller.teamId, allowing]);
    await campaign.played(worker.app, MINUTE + 1_000);
    expect(calling.dials(to)).toHaveLength(1);
  });
});

test.each([
  ['team', 'UPDATE teams SET paused = $2 WHERE id = $1'],
  ['platform', 'UPDATE platform_settings SET paused = $2 WHERE $1::uuid IS NOT NULL'],
])('a pause of the %s is not stored with an enrollment, and readers see it', async (_, statement) => {
  const { caller, campaign } = await start();
  const { id, to } = await campaign.enroll();
  await calling.db.query(statement, [caller.teamId, true]);
  try {
    await campaign.played(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({ status: 'active', waiting_for: null, timeline: [] });
    const answer = await campaign.read(id);
    expect(answer.body).toMatchObject({ waitingFor: 'paused', whyNot: { rule: 'paused' } });
    expect(calling.dials(to)).toEqual([]);
  } finally {
    await calling.db.query(statement, [caller.teamId, false]);
  }
  await campaign.played(worker.app, 1_000);
  expect(calling.dials(to)).toHaveLength(1);
});

/** Calling hours that are open every day for an hour from an instant, UTC. */
function hoursFrom(start: Date) {
  const time = (at: Date) => at.toISOString().slice(11, 16);
  const window = [{ start: time(start), end: time(new Date(start.getTime() + HOUR)) }];
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  return Object.fromEntries(days.map((day) => [day, window]));
}
