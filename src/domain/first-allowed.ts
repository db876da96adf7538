import { type HoursFacts, isOpen, nextOpening, zoneOf } from './calling-hours.js';
import { type GuardrailFacts } from './guardrails/guardrail.js';
import { evaluateGuardrails } from './guardrails/guardrails.js';

// Each round ends a refusal or waits for an opening. Rules and hours alternate a few times at most.
const MAX_ROUNDS = 100;

/**
 * The first instant at or after `now` that is inside calling hours and at which no guardrail refuses; null
 * where waiting does not help. It assumes that the facts stay as they are. Pure.
 */
export function firstAllowedAt(hours: HoursFacts, guardrails: GuardrailFacts, now: Date): Date | null {
  const zone = zoneOf(hours);
  let at = now;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (!isOpen(hours, zone, at)) at = nextOpening(hours, zone, at);
    const refusals = evaluateGuardrails(factsAt(guardrails, now, at), at).rules.filter(({ allow }) => !allow);
    if (refusals.length === 0) return at;
    let next = 0;
    for (const refusal of refusals) {
      const retryAt = 'retryAt' in refusal ? refusal.retryAt : undefined;
      if (retryAt === undefined) return null;
      next = Math.max(next, Date.parse(retryAt));
    }
    if (next <= at.getTime()) return null;
    at = new Date(next);
  }
  return null;
}

/** The plan is unused in a later month. */
function factsAt(facts: GuardrailFacts, now: Date, at: Date): GuardrailFacts {
  const sameMonth = now.toISOString().slice(0, 7) === at.toISOString().slice(0, 7);
  return sameMonth ? facts : { ...facts, planUsed: 0 };
}
