import fc from 'fast-check';
import { drawOutcome } from '../../../src/domain/drawn-outcome.js';
import { AGENT, definitionOf } from './support/definitions.js';
import { playByMinutes } from './support/play-by-minutes.js';
import { type Play, plays } from './support/play.js';
import { agent, enrolled, played, sceneOf } from './support/scenes.js';

/*
 * A forecast of one enrollment beside the reading of the rules that goes from minute to minute. Both are
 * given the same calls: those that the forecast draws.
 */

const NUMBER = '+14155550100';
const CALL_MINUTES = 5;
const ASSUME = { completed: 0.15, no_answer: 0.4, busy: 0.2, voicemail: 0.15, seconds: CALL_MINUTES * 60 };

/** The play without what only a change or another call brings about. */
function alone(play: Play, seed: number): Play {
  const calls = Array.from({ length: 400 }, (_, n) => ({
    outcome: drawOutcome(ASSUME, seed, NUMBER, n + 1),
    lasts: CALL_MINUTES,
    recordedAfter: 0,
    resolution: null,
    result: null,
  }));
  return { ...play, calls, intervals: [], suppressedAt: null, deletedAt: null, archivedAt: null, others: [] };
}

function forecastOf(play: Play, seed: number) {
  const { agentZone: timezone, hours: callingHours, closedDates, limits } = play;
  const scene = sceneOf({
    definition: definitionOf(play.definition),
    from: play.enrolledAt,
    until: play.horizon + 1,
    assume: ASSUME,
    seed,
    retryWithinRedialWindow: play.retryWithinRedialWindow,
    agents: new Map([[AGENT, agent({ timezone, callingHours, closedDates })]]),
    team: {
      allowedCountries: null,
      whitelistOnly: false,
      monthlyCallLimit: null,
      numberDailyLimit: limits.daily,
      numberWeeklyLimit: limits.weekly,
      numberMonthlyLimit: limits.monthly,
      acceptUnknownRanges: false,
      doNotCallByPurpose: false,
    },
  });
  const { contactZone: contactTimezone, notBefore } = play;
  const state = {
    enrolledAt: new Date(play.enrolledAt),
    notBefore: notBefore === null ? null : new Date(notBefore),
  };
  const { made, ended } = played(scene, [enrolled({ number: NUMBER, contactTimezone }, state)]);
  return {
    dials: made.map(({ at, stepKey }) => `${iso(at)} ${stepKey}`),
    reason: Object.keys(ended)[0] ?? null,
  };
}

const iso = (at: number) => new Date(at).toISOString();

test('a forecast dials and ends as a reading that goes from minute to minute, in 300 random plays', () => {
  const seed = Number(process.env.SEED ?? 20261122);
  let dials = 0;
  // Without steps, the engine decides nothing.
  const dialing = plays.filter(({ definition }) => definition.steps.length > 0);
  for (const [index, drawn] of fc.sample(dialing, { seed, numRuns: 300 }).entries()) {
    const play = alone(drawn, index);
    const expected = playByMinutes(play);
    const found = forecastOf(play, index);
    expect([index, found.dials]).toEqual([index, expected.dials]);
    expect([index, found.reason]).toEqual([index, expected.end?.split('/')[1] ?? null]);
    dials += found.dials.length;
  }
  expect(dials).toBeGreaterThan(300);
});
