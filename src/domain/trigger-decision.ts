import { type HoursFacts, zoneOf } from './calling-hours.js';
import { ANY_TIME, type CallWindow } from './call-window.js';
import { type CallerIdFacts, type CallerIdReason, resolveCallerId } from './caller-id.js';
import { isOpenLawfully, nextLawfulOpening } from './compliance/openings.js';
import { type GuardrailFacts } from './guardrails/guardrail.js';
import {
  type Decision,
  evaluateGuardrails,
  type GuardrailReason,
  GUARDRAILS,
  scheduledByLaw,
  withoutLawfulOpening,
} from './guardrails/guardrails.js';

export interface TriggerFacts {
  hours: HoursFacts;
  callerId: CallerIdFacts;
  guardrails: GuardrailFacts;
}

export type TriggerDecision =
  /** Refused before anything is stored. */
  | { kind: 'refused'; reason: CallerIdReason }
  /**
   * Outside calling hours, or before the window. Guardrails without `beforeScheduling` are evaluated only when the call is due
   * (contract 4.1, rule 2).
   */
  | {
      kind: 'scheduled';
      runsAt: Date;
      /** Only of a call whose hours packs narrow. */
      decision?: Decision;
    }
  | { kind: 'blocked'; reason: GuardrailReason; decision: Decision }
  | { kind: 'queued'; decision: Decision };

/**
 * Decides a well-formed, authenticated request at `now`; the first rule that refuses gives the reason. Pure.
 *
 * @param window has no fault at `now`.
 */
export function decideTrigger(
  facts: TriggerFacts,
  now: Date,
  { notBefore }: CallWindow = ANY_TIME,
): TriggerDecision {
  const early = GUARDRAILS.find(
    ({ beforeScheduling, check }) => beforeScheduling && !check(facts.guardrails, now).allow,
  );
  if (early) {
    return {
      kind: 'blocked',
      reason: early.reason,
      decision: evaluateGuardrails(facts.guardrails, now),
    };
  }
  const callerId = resolveCallerId(facts.callerId);
  if (!callerId.ok) return { kind: 'refused', reason: callerId.reason };
  const { hours, guardrails } = facts;
  const zone = zoneOf(hours);
  const lawful = guardrails.compliance?.lawfulHours ?? [];
  const from = notBefore !== null && notBefore > now ? notBefore : now;
  if (from > now || !isOpenLawfully(hours, zone, lawful, now)) {
    const runsAt = nextLawfulOpening(hours, zone, lawful, from);
    if (runsAt === null) {
      const decision = withoutLawfulOpening(guardrails, now);
      return { kind: 'blocked', reason: 'CALLING_PROHIBITED', decision };
    }
    const decision = scheduledByLaw(guardrails, now);
    return { kind: 'scheduled', runsAt, ...(decision !== undefined && { decision }) };
  }
  const decision = evaluateGuardrails(facts.guardrails, now);
  return decision.reason === null
    ? { kind: 'queued', decision }
    : { kind: 'blocked', reason: decision.reason, decision };
}
