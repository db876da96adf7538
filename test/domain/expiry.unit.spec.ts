import { Temporal } from '@js-temporal/polyfill';
import fc from 'fast-check';
import { decideFire } from '../../src/domain/fire-decision.js';
import { decideTrigger } from '../../src/domain/trigger-decision.js';
import { expiryOf, mayReschedule } from '../../src/domain/expiry.js';
import {
  after,
  before,
  DAY,
  fireFacts,
  HOUR,
  hoursFacts,
  MONDAYS,
  NOW,
  triggerFacts,
} from './support/facts.js';
import { expectEqual, expectSame } from '../support/compare.js';

test.each([
  ['an immediate call: 24 hours after acceptance', 0],
  ['a scheduled one: 24 hours after its opening', 3 * HOUR],
  ['also where the opening is more than 6 days away', 6 * DAY + 1],
  ['also where it is months away', 90 * DAY],
])('%s', (_, openingMs) => {
  expect(expiryOf(after(openingMs))).toEqual(after(openingMs + DAY));
});

describe('a later opening', () => {
  test.each([
    ['7 days after acceptance', 0, 7 * DAY, true],
    ['more than that', 0, 7 * DAY + 1, false],
    ['more than that, but not after the first opening’s expiry', 30 * DAY, 31 * DAY, true],
    ['after both', 30 * DAY, 31 * DAY + 1, false],
    ['after the first opening’s expiry, but within 7 days', HOUR, 3 * DAY, true],
  ])('%s', (_, firstOpeningMs, nextOpeningMs, may) => {
    const call = { acceptedAt: NOW, firstRunsAt: after(firstOpeningMs), notAfter: null };
    expect(mayReschedule(after(nextOpeningMs), call)).toBe(may);
  });
});

describe('an opening exactly 7 days away by the wall clock', () => {
  // New York's clocks change on 8 March and on 1 November 2026.
  test.each([
    ['without a change of clocks', '2026-09-14T13:00:00.000Z', '2026-09-21T13:00:00.000Z', '2026-09-14'],
    ['an hour later', '2026-10-26T13:00:00.000Z', '2026-11-02T14:00:00.000Z', '2026-10-26'],
    ['an hour sooner', '2026-03-02T14:00:00.000Z', '2026-03-09T13:00:00.000Z', '2026-03-02'],
  ])('%s: accepted, keeps its 24 hours, and is dialed', (_, accepted, opening, closedDate) => {
    const [acceptedAt, runsAt] = [new Date(accepted), new Date(opening)];
    const hours = hoursFacts({
      callingHours: MONDAYS,
      closedDates: [closedDate],
      agentTimezone: 'America/New_York',
    });
    expect(decideTrigger(triggerFacts({ hours }), acceptedAt)).toEqual({ kind: 'scheduled', runsAt });
    const facts = fireFacts({
      status: 'scheduled',
      acceptedAt,
      runsAt,
      firstRunsAt: runsAt,
      expiresAt: expiryOf(runsAt),
      hours,
    });
    expect(decideFire(facts, 0, runsAt).kind).toBe('claimed');
    expect(decideFire(facts, 0, after(HOUR, runsAt)).kind).toBe('claimed');
    const anyTime = { ...facts, hours: hoursFacts() };
    expect(decideFire(anyTime, 0, before(1, after(DAY, runsAt))).kind).toBe('claimed');
    expect(decideFire(anyTime, 0, after(DAY, runsAt)).kind).toBe('expired');
  });
});

describe('the life of a call agrees with the design, computed by Temporal', () => {
  /** Open at any time, but on none of the next `days` dates, today included. */
  const closedFor = (now: Date, days: number) =>
    hoursFacts({
      closedDates: Array.from({ length: days }, (_, day) =>
        after(day * DAY, now)
          .toISOString()
          .slice(0, 10),
      ),
    });
  const dateOf = (instant: Date) =>
    Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO('UTC').toPlainDate();
  const openingAfter = (now: Date, days: number) =>
    dateOf(now).add({ days }).toZonedDateTime('UTC').toInstant();
  const instantOf = (date: Date) => Temporal.Instant.fromEpochMilliseconds(date.getTime());
  const isAfter = (one: Temporal.Instant, other: Temporal.Instant) =>
    Temporal.Instant.compare(one, other) > 0;

  const days = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 60 }));
  const life = fc.record({
    acceptedAfter: fc.integer({ min: 0, max: 3 * DAY }),
    firstClosedFor: fc.oneof(fc.constant(0), days),
    // How late each wake-up comes, and for how long it then is closed.
    reschedulings: fc.array(fc.record({ late: fc.integer({ min: 0, max: DAY - 1 }), closedFor: days }), {
      maxLength: 6,
    }),
  });

  test('the opening at acceptance always has its 24 hours; later openings are limited', () => {
    const seen = { promisedBeyondAWeek: 0, rescheduled: 0, tooLate: 0 };
    fc.assert(
      fc.property(life, ({ acceptedAfter, firstClosedFor, reschedulings }) => {
        const acceptedAt = after(acceptedAfter);
        const accepted = decideTrigger(
          triggerFacts({ hours: closedFor(acceptedAt, firstClosedFor) }),
          acceptedAt,
        );
        const first = firstClosedFor === 0 ? instantOf(acceptedAt) : openingAfter(acceptedAt, firstClosedFor);
        if (accepted.kind === 'scheduled') expectSame(accepted.runsAt.getTime(), first.epochMilliseconds);
        else expectEqual([accepted.kind, firstClosedFor], ['queued', 0]);
        const weekOver = instantOf(acceptedAt).add({ hours: 7 * 24 });
        const firstExpiry = first.add({ hours: 24 });
        if (isAfter(first, weekOver)) seen.promisedBeyondAWeek++;

        const firstRunsAt = new Date(first.epochMilliseconds);
        let runsAt = firstRunsAt;
        for (const { late, closedFor: closed } of reschedulings) {
          const now = after(late, runsAt);
          const facts = fireFacts({
            acceptedAt,
            firstRunsAt,
            runsAt,
            expiresAt: expiryOf(runsAt),
            hours: closedFor(now, closed),
          });
          const next = openingAfter(now, closed);
          const decision = decideFire(facts, 0, now);
          if (isAfter(next, weekOver) && isAfter(next, firstExpiry)) {
            seen.tooLate++;
            expectEqual(decision, { kind: 'expired', cause: 'next_slot_too_late' });
            return;
          }
          seen.rescheduled++;
          runsAt = new Date(next.epochMilliseconds);
          const expiresAt = new Date(next.add({ hours: 24 }).epochMilliseconds);
          expectEqual(decision, { kind: 'rescheduled', runsAt, expiresAt });
        }
      }),
      { seed: 20261120, numRuns: 500 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  });
});
