import { type Row } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { setClock, stopClock } from '../support/clock.js';
import { buildProcessedCall } from '../support/number-history.js';
import { useCampaigns } from './support/campaign-tests.js';
import { HOUR, insertCall, PlayedCampaign, runDue } from './support/played-campaign.js';

/*
 * What a definition says of time: durations, hours, closed dates, the rest after a conversation, the
 * lifetime. Each is played to its instant on a stopped clock. The simulator's dial log is the witness.
 */

const { calling, worker } = useCampaigns();

const DAY = 24 * HOUR;
const once = { steps: [{ key: 'first' }] };

async function start(definition: Row, agent: Row = {}) {
  const caller = await buildCaller(calling.db, {}, agent);
  return { caller, campaign: await PlayedCampaign.build(calling, caller, definition) };
}

async function lookedAt(at: number): Promise<void> {
  await stopClock(calling.db, new Date(at).toISOString());
  await runDue(worker.app);
}

/** Not dialed a millisecond before the instant, and dialed at it. */
async function dialedAt(to: string, at: number, before = 0): Promise<void> {
  await lookedAt(at - 1);
  expect(calling.dials(to)).toHaveLength(before);
  await lookedAt(at);
  expect(calling.dials(to)).toHaveLength(before + 1);
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const minuteIn = (hours: number) => Math.floor((Date.now() + hours * HOUR) / 60_000) * 60_000;

/** Every day in UTC, from the first instant to the second one. */
function daily(from: number, to: number) {
  const [start, end] = [from, to].map((at) => new Date(at).toISOString().slice(11, 16));
  return Object.fromEntries(DAYS.map((day) => [day, [{ start, end }]]));
}

describe('hours and closedDates only narrow the agent’s', () => {
  test('a dial is inside both: from the later opening to the earlier closing', async () => {
    const [opens, narrow, closes] = [minuteIn(2), minuteIn(4), minuteIn(6)];
    const { campaign } = await start(
      { ...once, hours: daily(narrow, minuteIn(8)) },
      { calling_hours: JSON.stringify(daily(opens, closes)) },
    );
    const early = await campaign.enroll();
    await campaign.at(worker.app, 0);
    const row = await campaign.row(early.id);
    expect(row).toMatchObject({ waiting_for: 'hours', next_attempt_at: new Date(narrow) });
    await lookedAt(opens + HOUR);
    await dialedAt(early.to, narrow);
    // The campaign is open still, the agent is not.
    await stopClock(calling.db, new Date(closes).toISOString());
    const late = await campaign.enroll();
    await runDue(worker.app);
    expect(calling.dials(late.to)).toEqual([]);
    expect((await campaign.row(late.id)).next_attempt_at).toEqual(new Date(narrow + DAY));
  });

  test('neither on a closed date of the campaign nor on one of the agent', async () => {
    const midnight = Math.floor(Date.now() / DAY) * DAY;
    const date = (days: number) => new Date(midnight + days * DAY).toISOString().slice(0, 10);
    const closedDates = [date(0), date(1), date(2)];
    const { campaign } = await start({ ...once, closedDates }, { closed_dates: [date(3)] });
    const { id, to } = await campaign.enroll();
    await campaign.at(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({
      waiting_for: 'hours',
      next_attempt_at: new Date(midnight + 4 * DAY),
    });
    await lookedAt(midnight + 3 * DAY);
    await dialedAt(to, midnight + 4 * DAY);
  });
});

describe('caps.afterConversation: the rest after a completed call', () => {
  const rested = { ...once, caps: { afterConversation: 'PT168H' } };

  test.each([
    ['completed', 7 * DAY],
    ['no_answer', 0],
  ])('a call of the team that ended %s rests the number for %i ms', async (status, rest) => {
    const { caller, campaign } = await start(rested);
    const { id, to, contactId } = await campaign.enroll();
    const at = new Date(Date.now() - 3 * DAY);
    await insertCall(calling, caller, contactId, to, {
      status,
      accepted_at: at,
      runs_at: at,
      expires_at: new Date(at.getTime() + DAY),
      claimed_at: at,
      processed_at: at,
      ended_at: at,
      caller_id: caller.callerNumber,
    });
    await campaign.at(worker.app, 0);
    if (rest === 0) return expect(calling.dials(to)).toHaveLength(1);
    const until = at.getTime() + rest;
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'caps', next_attempt_at: new Date(until) });
    await dialedAt(to, until);
  });

  test('its own conversation, too: the next step waits for the end of the rest', async () => {
    const first = { key: 'first', on: [{ outcome: 'completed', next: 'second' }] };
    const steps = [first, { key: 'second', after: 'PT13H' }];
    const { caller, campaign } = await start({ steps, caps: { afterConversation: 'PT40H' } });
    const { id, to } = await campaign.enroll();
    await campaign.played(worker.app, 0);
    const [call] = await calling.rows(caller.teamId);
    await campaign.at(worker.app, 14 * HOUR);
    expect(await campaign.row(id)).toMatchObject({ step: 'second', waiting_for: 'caps' });
    await dialedAt(to, (call?.ended_at as Date).getTime() + 40 * HOUR, 1);
  });
});

describe('caps.perNumber counts calls to a person, whatever the form of the number', () => {
  test.each([
    ['+541157447731', '+5491157447731'],
    ['+5491157447732', '+541157447732'],
    ['+5215512345631', '+525512345631'],
    ['+525512345632', '+5215512345632'],
  ])('a call to %s delays the one to %s', async (called, to) => {
    const { caller, campaign } = await start({ ...once, caps: { perNumber: [{ count: 1, per: 'PT24H' }] } });
    await buildProcessedCall(calling.db, caller, called, '13 hours');
    const { id } = await campaign.enroll({ phone_number: to });
    await campaign.at(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'caps' });
    await campaign.at(worker.app, 10 * HOUR);
    expect(calling.dials(to)).toEqual([]);
    await campaign.at(worker.app, 11 * HOUR);
    expect(calling.dials(to)).toHaveLength(1);
  });
});

describe('caps.lifetime ends the enrollment at its instant', () => {
  test.each([
    ['before the next attempt', { after: 'P3D' }, false],
    ['though an attempt is due at the same instant', { after: 'PT24H' }, false],
    ['while it is paused', {}, true],
    ['in a version without steps', null, false],
  ])('%s', async (_, step, paused) => {
    const steps = step === null ? [] : [{ key: 'first', ...step }];
    const { campaign } = await start({ steps, caps: { lifetime: 'PT24H' } });
    const { id, to } = await campaign.enroll();
    if (paused) await campaign.move(id, 'pause');
    await campaign.at(worker.app, 0);
    const { created_at: enrolledAt, look_at: lookAt } = await campaign.row(id);
    const end = enrolledAt.getTime() + DAY;
    expect(lookAt?.getTime()).toBe(end);
    await lookedAt(end - 1);
    expect(await campaign.row(id)).toMatchObject({ status: paused ? 'paused' : 'active' });
    await lookedAt(end);
    expect(await campaign.row(id)).toMatchObject({
      status: 'exited',
      end_reason: 'lifetime',
      look_at: null,
      ended_at: new Date(end),
    });
    await lookedAt(end + 4 * DAY);
    expect(calling.dials(to)).toEqual([]);
  });
});

describe('days keep the wall clock in the contact’s zone, else the agent’s', () => {
  const ZONE = 'America/New_York';
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, timeZoneName: 'longOffset' });
  const offsetAt = (at: number) => {
    const name = parts.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
    return Number(name?.replace('GMT', '').split(':')[0]) * HOUR;
  };

  /** The next hour at which the zone changes its offset, and by how much. */
  function transition() {
    let at = Math.ceil(Date.now() / HOUR) * HOUR + DAY;
    while (offsetAt(at) === offsetAt(at - HOUR)) at += HOUR;
    return { at, change: offsetAt(at) - offsetAt(at - HOUR) };
  }

  test('P1D over a change of the clocks is 23 or 25 hours there, and 24 in UTC', async () => {
    const { at, change } = transition();
    const { campaign } = await start({ steps: [{ key: 'first', after: 'P1D' }] });
    await setClock(calling.db, new Date(at - 12 * HOUR).toISOString());
    const [there, utc] = [await campaign.enroll({ timezone: ZONE }), await campaign.enroll()];
    await runDue(worker.app);
    const due = [
      { ...there, ms: DAY - change },
      { ...utc, ms: DAY },
    ].sort((a, b) => a.ms - b.ms);
    for (const { id, to, ms } of due) {
      const row = await campaign.row(id);
      const instant = row.created_at.getTime() + ms;
      expect(row).toMatchObject({ waiting_for: 'after', next_attempt_at: new Date(instant) });
      await dialedAt(to, instant);
    }
  });
});
