import fc from 'fast-check';
import { decideFire, type FireDecision } from '../../src/domain/fire-decision.js';
import { decideTrigger } from '../../src/domain/trigger-decision.js';
import { isOpen, nextOpening, zoneOf } from '../../src/domain/calling-hours.js';
import { pickCallerId } from '../../src/domain/caller-id.js';
import { isPending } from '../../src/domain/call-states.js';
import { expiryOf } from '../../src/domain/expiry.js';
import { evaluateGuardrails } from '../../src/domain/guardrails/guardrails.js';
import { fireFactsArb, guardrailFactsArb, hoursFactsArb } from './support/arbitrary-facts.js';
import {
  after,
  before,
  deepFreeze,
  fireFacts,
  guardrailFacts,
  HOUR,
  NOW,
  triggerFacts,
} from './support/facts.js';
import { expectEqual, expectMore, expectSame } from '../support/compare.js';

const seeded = { seed: 20261120, numRuns: 1_000 };

test('a call is queued only inside calling hours with every guardrail passing, and scheduled only outside them', () => {
  fc.assert(
    fc.property(hoursFactsArb, guardrailFactsArb, (hours, guardrails) => {
      const open = isOpen(hours, zoneOf(hours), NOW);
      const decision = decideTrigger(triggerFacts({ hours, guardrails }), NOW);
      if (decision.kind === 'scheduled') {
        expectSame(open, false);
        expectEqual(decision.runsAt, nextOpening(hours, zoneOf(hours), NOW));
        expectMore(decision.runsAt.getTime(), NOW.getTime());
      } else if (decision.kind === 'blocked' && decision.reason === 'COUNTRY_NOT_ALLOWED') {
        expectSame(evaluateGuardrails(guardrails, NOW).reason, 'COUNTRY_NOT_ALLOWED');
      } else if (decision.kind !== 'refused') {
        expectSame(open, true);
        expectSame(decision.kind === 'queued', evaluateGuardrails(guardrails, NOW).allow);
      }
    }),
    seeded,
  );
});

describe('a forbidden call is not dialed', () => {
  const someGeneration = fc.constantFrom(0, 0, 1);

  test('a call is claimed exactly if every rule allows it', () => {
    const kinds = new Map<FireDecision['kind'], number>();
    fc.assert(
      fc.property(fireFactsArb, someGeneration, (facts, generation) => {
        const decision = decideFire(deepFreeze(facts), generation, NOW);
        kinds.set(decision.kind, (kinds.get(decision.kind) ?? 0) + 1);
        const may =
          isPending(facts.status) &&
          facts.generation === generation &&
          !facts.paused &&
          NOW.getTime() >= facts.runsAt.getTime() &&
          NOW.getTime() < facts.expiresAt.getTime() &&
          isOpen(facts.hours, zoneOf(facts.hours), NOW) &&
          evaluateGuardrails(facts.guardrails, NOW).allow;
        const { limit, active, olderWaiting } = facts.concurrencySlots;
        const free = limit === null || active + olderWaiting < limit;
        const number = pickCallerId(facts.callerId);
        expectSame(decision.kind === 'claimed', may && number !== null && free);
        expectSame(decision.kind === 'waiting', may && number !== null && !free);
        if (decision.kind === 'claimed') {
          expectSame(decision.callerId, number);
          expectEqual(decision.decision, evaluateGuardrails(facts.guardrails, NOW));
        }
      }),
      { ...seeded, numRuns: 10_000 },
    );
    // Otherwise the property would hold without having been tried.
    for (const kind of [
      'claimed',
      'waiting',
      'blocked',
      'rescheduled',
      'expired',
      'early',
      'ignored',
    ] as const) {
      expect(kinds.get(kind) ?? 0).toBeGreaterThan(50);
    }
  });

  test('a new due time is later than now, inside calling hours, and before the call’s expiry', () => {
    fc.assert(
      fc.property(fireFactsArb, (facts) => {
        const decision = decideFire(facts, facts.generation, NOW);
        if (decision.kind !== 'rescheduled') return;
        expectMore(decision.runsAt.getTime(), NOW.getTime());
        expectSame(isOpen(facts.hours, zoneOf(facts.hours), decision.runsAt), true);
        expectEqual(decision.expiresAt, expiryOf(decision.runsAt, facts.notAfter));
        expectMore(decision.expiresAt.getTime(), decision.runsAt.getTime());
      }),
      { ...seeded, numRuns: 10_000 },
    );
  });

  test('an early wake-up is on time after its delay', () => {
    fc.assert(
      fc.property(fireFactsArb, (facts) => {
        const decision = decideFire(facts, facts.generation, NOW);
        if (decision.kind !== 'early') return;
        expect(decision.delayMs).toBeGreaterThan(0);
        expect(decideFire(facts, facts.generation, after(decision.delayMs)).kind).not.toBe('early');
      }),
      seeded,
    );
  });
});

describe('several pending calls for one number', () => {
  interface Call {
    id: string;
    acceptedAt: Date;
    status: 'scheduled' | 'dialing' | 'blocked';
  }
  const isOlder = (a: Call, b: Call) =>
    a.acceptedAt < b.acceptedAt || (a.acceptedAt.getTime() === b.acceptedAt.getTime() && a.id < b.id);

  /** Fires one of them by the facts that a loader would give it: of the others, and never of itself. */
  function fire(calls: Call[], self: Call): void {
    const others = calls.filter((call) => call !== self);
    const older = others.find((call) => call.status === 'scheduled' && isOlder(call, self));
    const guardrails = guardrailFacts({
      processedAt: others.filter((call) => call.status === 'dialing').map(() => NOW.getTime()),
      olderPendingCallId: older?.id ?? null,
    });
    const { status, acceptedAt } = self;
    const decision = decideFire(fireFacts({ status, acceptedAt, guardrails }), 0, NOW);
    if (decision.kind === 'claimed') self.status = 'dialing';
    if (decision.kind === 'blocked') self.status = 'blocked';
  }

  test('in any order of firing, the oldest is dialed and the others end blocked', () => {
    const calls = fc
      .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.stringMatching(/^[0-9a-f]{4}$/)), {
        selector: ([, id]) => id,
        minLength: 1,
        maxLength: 6,
      })
      .map((drawn) =>
        drawn.map(([age, id]): Call => ({ id, acceptedAt: before(age * HOUR), status: 'scheduled' })),
      );
    fc.assert(
      // Drawn at random, so they stand in no order of age, and fire as they stand.
      fc.property(calls, (pending) => {
        for (const call of pending) fire(pending, call);
        const [oldest, ...others] = [...pending].sort((a, b) => (isOlder(a, b) ? -1 : 1));
        expectSame(oldest?.status, 'dialing');
        expectEqual(
          others.filter((call) => call.status !== 'blocked'),
          [],
        );
      }),
      seeded,
    );
  });
});
