import { type HoursFacts, zoneOf } from './calling-hours.js';
import { nextLawfulOpening } from './compliance/openings.js';
import { type GuardrailFacts } from './guardrails/guardrail.js';
import { evaluateGuardrails } from './guardrails/guardrails.js';
import { isTimeZone } from './zones/time-zone.js';

// Each round advances `at` to an opening, or to the end of the refusals. A few rounds are usually enough.
const MAX_ROUNDS = 100;

/**
 * The first instant at or after `now` and `from` that is inside calling hours, those of packs included, and at which no
 * guardrail refuses; null if waiting does not help. The function assumes that the facts do not change. Pure.
 */
export function firstAllowedAt(
  hours: HoursFacts,
  guardrails: GuardrailFacts,
  now: Date,
  from = now,
): Date | null {
  const zone = zoneOf(hours);
  if (!isTimeZone(zone)) return null;
  const lawful = guardrails.compliance?.lawfulHours ?? [];
  let at = from > now ? from : now;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const opening = nextLawfulOpening(hours, zone, lawful, at);
    if (opening === null) return null;
    at = opening;
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

/** The facts at `at`. In a later month, no call is counted against the plan yet. */
function factsAt(facts: GuardrailFacts, now: Date, at: Date): GuardrailFacts {
  const sameMonth = now.toISOString().slice(0, 7) === at.toISOString().slice(0, 7);
  return sameMonth ? facts : { ...facts, planUsed: 0 };
}
