import fc from 'fast-check';
import { type GuardrailFacts } from '../../src/domain/guardrails/guardrail.js';
import { type GuardrailReason, evaluateGuardrails } from '../../src/domain/guardrails/guardrails.js';
import { guardrailFactsArb } from './support/arbitrary-facts.js';
import {
  after,
  aged,
  before,
  CONTRACT_REASONS,
  DAY,
  deepFreeze,
  NOW,
  retryAtOf,
  ruleOf,
} from './support/facts.js';
import { expectEqual, expectIdentical, expectMore, expectSame } from '../support/compare.js';

const seeded = { seed: 20261120, numRuns: 1_000 };

test('every rule is evaluated in order with its evidence, whatever the other results', () => {
  fc.assert(
    fc.property(guardrailFactsArb, (facts) => {
      const { rules } = evaluateGuardrails(facts, NOW);
      expectEqual(
        rules.map((rule) => rule.reason),
        CONTRACT_REASONS,
      );
      for (const rule of rules) expectMore(Object.keys(rule.evidence).length, 0);
    }),
    seeded,
  );
});

test('the reason is that of the first refusal, and is present exactly if the call is refused', () => {
  fc.assert(
    fc.property(guardrailFactsArb, (facts) => {
      const { allow, reason, rules } = evaluateGuardrails(facts, NOW);
      expectSame(reason, rules.find((rule) => !rule.allow)?.reason ?? null);
      expectSame(allow, reason === null);
    }),
    seeded,
  );
});

test('a decision can be stored as JSON, and contains no phone number', () => {
  fc.assert(
    fc.property(guardrailFactsArb, (facts) => {
      const decision = evaluateGuardrails(facts, NOW);
      const text = JSON.stringify(decision);
      expectIdentical(JSON.parse(text), decision);
      expectSame(/\+\d|\d{7}/.exec(text), null);
    }),
    seeded,
  );
});

test('an evaluation has no side effect, and is repeatable', () => {
  fc.assert(
    fc.property(guardrailFactsArb, (facts) => {
      deepFreeze(facts);
      expectEqual(evaluateGuardrails(facts, NOW), evaluateGuardrails(facts, NOW));
    }),
    seeded,
  );
});

/** The same facts as they would be loaded at `instant`: a new month has nothing counted yet. */
function readAgain(facts: GuardrailFacts, instant: Date): GuardrailFacts {
  const sameMonth = instant.toISOString().slice(0, 7) === NOW.toISOString().slice(0, 7);
  return sameMonth ? facts : { ...facts, planUsed: 0, countedThisMonth: false };
}
const evaluateAgain = (facts: GuardrailFacts, reason: GuardrailReason, instant: Date) =>
  ruleOf(evaluateGuardrails(readAgain(facts, instant), instant), reason).allow;

test('retryAt is the first instant at which the same facts pass; without it, no later instant passes', () => {
  const seen = new Set<GuardrailReason>();
  fc.assert(
    fc.property(guardrailFactsArb, (facts) => {
      for (const rule of evaluateGuardrails(facts, NOW).rules) {
        const at = retryAtOf(rule);
        if (rule.allow) {
          expectSame(at, undefined);
        } else if (at === undefined) {
          expectSame(evaluateAgain(facts, rule.reason, after(400 * DAY)), false);
        } else {
          seen.add(rule.reason);
          expectMore(new Date(at).getTime(), NOW.getTime());
          expectSame(evaluateAgain(facts, rule.reason, new Date(at)), true);
          expectSame(evaluateAgain(facts, rule.reason, before(1, new Date(at))), false);
        }
      }
    }),
    seeded,
  );
  expect([...seen].sort()).toEqual([
    'NUMBER_LIMIT_DAILY',
    'NUMBER_LIMIT_MONTHLY',
    'NUMBER_LIMIT_WEEKLY',
    'PLAN_LIMIT',
    'RECENTLY_CALLED',
  ]);
});

test('another processed call or a lower limit does not turn a refusal into a pass', () => {
  fc.assert(
    fc.property(guardrailFactsArb, fc.integer({ min: 0, max: 30 * DAY }), (facts, age) => {
      const stricter = {
        ...facts,
        processedAt: [...facts.processedAt, ...aged(age)],
        numberDailyLimit: facts.numberDailyLimit === null ? 3 : Math.max(0, facts.numberDailyLimit - 1),
        monthlyCallLimit: facts.monthlyCallLimit === null ? 3 : Math.max(0, facts.monthlyCallLimit - 1),
      };
      if (!evaluateGuardrails(facts, NOW).allow) expectSame(evaluateGuardrails(stricter, NOW).allow, false);
    }),
    seeded,
  );
});
