import fc from 'fast-check';
import { CALL_STATES, PENDING_STATES } from '../../../src/domain/call-states.js';
import { type FireFacts } from '../../../src/domain/fire-decision.js';
import { type CallingHours, type HoursFacts } from '../../../src/domain/calling-hours.js';
import { expiryOf } from '../../../src/domain/expiry.js';
import { type GuardrailFacts } from '../../../src/domain/guardrails/guardrail.js';
import {
  AGENT_NUMBER,
  after,
  before,
  DAY,
  FRIDAYS,
  guardrailFacts,
  HOUR,
  MONDAYS,
  NOW,
  OLDER_CALL,
  SECOND,
} from './facts.js';

/** True once in `n`, so that what several rules must agree on still happens. */
const seldom = (n: number) => fc.integer({ min: 1, max: n }).map((drawn) => drawn === n);

const limit = fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.integer({ min: 0, max: 6 }));

/** Any age in milliseconds up to 30 days; the windows' own lengths, and their neighbours, come often. */
const age = fc.oneof(
  fc.integer({ min: 0, max: 30 * DAY - 1 }),
  fc
    .tuple(fc.constantFrom(12 * HOUR, DAY, 7 * DAY, 30 * DAY), fc.constantFrom(-1, 0, 1))
    .map(([window, off]) => window + off),
);

/** A fact that is not drawn here has the value by which every guardrail agrees. */
export const guardrailFactsArb: fc.Arbitrary<GuardrailFacts> = fc
  .record({
    country: fc.constantFrom('US', 'DE', null),
    allowedCountries: fc.constantFrom(null, null, ['US', 'CA'], []),
    whitelistOnly: seldom(3),
    whitelisted: fc.boolean(),
    monthlyCallLimit: limit,
    planUsed: fc.integer({ min: 0, max: 8 }),
    countedThisMonth: seldom(3),
    numberDailyLimit: limit,
    numberWeeklyLimit: limit,
    numberMonthlyLimit: limit,
    processedAt: fc.array(
      age.map((ms) => NOW.getTime() - ms),
      { maxLength: 8 },
    ),
    onDoNotCall: seldom(4),
    olderPendingCallId: seldom(4).map((drawn) => (drawn ? OLDER_CALL : null)),
  })
  .map((facts) => guardrailFacts(facts));

/** Friday nights too, which reach into the Saturday. */
const callingHours = fc.constantFrom<CallingHours>(null, null, FRIDAYS, MONDAYS, {
  friday: [{ start: '22:00', end: '06:00' }],
});
const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Tokyo', 'Asia/Kathmandu', 'Pacific/Kiritimati');

export const hoursFactsArb: fc.Arbitrary<HoursFacts> = fc.record({
  callingHours,
  closedDates: fc.constantFrom([], [], ['2026-11-20'], ['2026-11-21', '2026-11-23']),
  agentTimezone: zone,
  contactTimezone: fc.option(zone),
  requestTimezone: fc.option(zone),
});

const source = fc.option(fc.record({ pick: fc.constantFrom(AGENT_NUMBER, AGENT_NUMBER, null) }));

/** Calls as the table of call requests can hold them: accepted, then due, then expired. */
export const fireFactsArb: fc.Arbitrary<FireFacts> = fc
  .record({
    status: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PENDING_STATES) },
      fc.constantFrom(...CALL_STATES),
    ),
    zoneDataInForce: fc.constant(null),
    generation: fc.constantFrom(0, 0, 1),
    // Around the instant at which they are due, and around both ends of their lives.
    acceptedAgo: fc.oneof(fc.integer({ min: 0, max: DAY }), fc.integer({ min: 0, max: 8 * DAY })),
    // The promised opening is the current one, or the call was rescheduled since.
    rescheduledBy: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 6 * DAY })),
    waited: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: DAY }), fc.integer({ min: 0, max: 9 * DAY })),
    // Of some triggers, between the opening and its expiry, or before both.
    patience: fc.option(fc.integer({ min: -DAY, max: DAY }), { freq: 3 }),
    paused: seldom(5),
    hours: hoursFactsArb,
    callerId: fc.record({ requestPool: source, fromNumber: source, agentPool: source, agentNumber: source }),
    // Nine rules that each refuse now and then would leave hardly a call to claim.
    guardrails: fc.oneof(fc.constant(guardrailFacts()), guardrailFactsArb),
    concurrencySlots: fc.record({
      limit: fc.constantFrom(null, null, 1, 3),
      active: fc.integer({ min: 0, max: 4 }),
      olderWaiting: fc.integer({ min: 0, max: 3 }),
    }),
  })
  .map(({ acceptedAgo, rescheduledBy, waited, patience, ...facts }) => {
    const acceptedAt = before(acceptedAgo);
    const runsAt = after(waited, acceptedAt);
    const firstRunsAt = before(Math.min(rescheduledBy, waited), runsAt);
    const notAfter = patience === null ? null : after(Math.max(SECOND, waited + patience), acceptedAt);
    return { ...facts, acceptedAt, runsAt, firstRunsAt, notAfter, expiresAt: expiryOf(runsAt, notAfter) };
  });
