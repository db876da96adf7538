import { Temporal } from '@js-temporal/polyfill';
import fc from 'fast-check';
import { isOpen } from '../../src/domain/calling-hours.js';
import { windowFault } from '../../src/domain/call-window.js';
import { expiryOf } from '../../src/domain/expiry.js';
import { decideTrigger } from '../../src/domain/trigger-decision.js';
import { hoursFactsArb } from './support/arbitrary-facts.js';
import { after, before, DAY, hoursFacts, NOW, REFUSING, SECOND, triggerFacts } from './support/facts.js';

describe('the bounds of a window', () => {
  test.each([
    ['none', null, null, null],
    ['in the past: at once', before(DAY), null, null],
    ['90 days ahead', after(90 * DAY), null, null],
    ['further ahead', after(90 * DAY + 1), null, 'notBefore'],
    ['an end further ahead', null, after(90 * DAY + 1), 'notAfter'],
    ['an end that is now', null, NOW, 'notAfter'],
    ['an end in the future', null, after(1), null],
    ['both at one instant', after(DAY), after(DAY), 'notAfter'],
    ['the end first', after(DAY), after(SECOND), 'notAfter'],
    ['both in the past', before(2 * DAY), before(DAY), 'notAfter'],
  ])('%s', (_, notBefore, notAfter, path) => {
    const fault = windowFault({ notBefore, notAfter }, NOW);
    expect(fault?.path ?? null).toBe(path);
    if (path !== null) expect(fault?.message).toContain(path);
  });
});

test('a call before its window waits for the first opening at or after it, and is not decided yet', () => {
  fc.assert(
    fc.property(hoursFactsArb, fc.integer({ min: 1, max: 90 * DAY }), (hours, aheadMs) => {
      const notBefore = after(aheadMs);
      // A guardrail of the moment does not refuse a call that is due later.
      const facts = triggerFacts({
        hours,
        guardrails: { ...triggerFacts().guardrails, ...REFUSING.DO_NOT_CALL },
      });
      const decision = decideTrigger(facts, NOW, { notBefore, notAfter: null });
      if (decision.kind !== 'scheduled') throw new Error(decision.kind);
      const { runsAt } = decision;
      const zone = hours.requestTimezone ?? hours.contactTimezone ?? hours.agentTimezone;
      expect(runsAt.getTime()).toBeGreaterThanOrEqual(notBefore.getTime());
      expect(isOpen(hours, zone, runsAt)).toBe(true);
      // No minute between the two is open.
      for (let at = notBefore.getTime(); at < runsAt.getTime(); at += 60_000)
        if (isOpen(hours, zone, new Date(at))) throw new Error(`open at ${new Date(at).toISOString()}`);
    }),
    { numRuns: 300 },
  );
});

test('an instant of the past changes no decision', () => {
  fc.assert(
    fc.property(hoursFactsArb, fc.integer({ min: 0, max: 90 * DAY }), (hours, agoMs) => {
      const facts = triggerFacts({ hours });
      expect(decideTrigger(facts, NOW, { notBefore: before(agoMs), notAfter: null })).toEqual(
        decideTrigger(facts, NOW),
      );
    }),
  );
});

describe('on both sides of a change of clocks', () => {
  const week = [{ start: '09:00', end: '17:00' }];
  const hours = hoursFacts({
    callingHours: { saturday: week, sunday: week, monday: week },
    agentTimezone: 'America/New_York',
    closedDates: ['2027-03-15'],
  });
  const openingAfter = (local: string) => {
    const notBefore = new Date(Temporal.ZonedDateTime.from(local).epochMilliseconds);
    const now = new Date(notBefore.getTime() - 30 * DAY);
    const decision = decideTrigger(triggerFacts({ hours }), now, { notBefore, notAfter: null });
    return decision.kind === 'scheduled' ? decision.runsAt.toISOString() : decision.kind;
  };
  // The clocks go forward at 02:00 on Sunday, 14 March 2027. Monday is closed.
  test.each([
    ['before it', '2027-03-13T08:00[America/New_York]', '2027-03-13T14:00:00.000Z'],
    ['over night', '2027-03-13T17:00[America/New_York]', '2027-03-14T13:00:00.000Z'],
    ['in the hour after it', '2027-03-14T03:00[America/New_York]', '2027-03-14T13:00:00.000Z'],
    ['inside of the hours', '2027-03-14T16:59[America/New_York]', '2027-03-14T20:59:00.000Z'],
    ['over a closed date', '2027-03-14T17:00[America/New_York]', '2027-03-20T13:00:00.000Z'],
  ])('%s', (_, local, opening) => {
    expect(openingAfter(local)).toBe(opening);
  });
});

test('a call expires at the end of its window, at the latest a day after it is due', () => {
  expect(expiryOf(NOW, null)).toEqual(after(DAY));
  expect(expiryOf(NOW, after(SECOND))).toEqual(after(SECOND));
  expect(expiryOf(NOW, after(2 * DAY))).toEqual(after(DAY));
});
