import { GUARDRAILS, type GuardrailReason } from '../../guardrails/guardrails.js';

/**
 * Who refuses when a guardrail does. The person: the enrollment ends. The clock: it is deferred to `retryAt`. The
 * configuration: it is held. Another call to the number: it is deferred to that call's end.
 */
export type GuardrailKind = 'person' | 'clock' | 'configuration' | 'other_call';

const KINDS: Record<GuardrailReason, GuardrailKind> = {
  COUNTRY_NOT_ALLOWED: 'configuration',
  NOT_WHITELISTED: 'configuration',
  PLAN_LIMIT: 'configuration',
  NUMBER_LIMIT_DAILY: 'clock',
  NUMBER_LIMIT_WEEKLY: 'clock',
  NUMBER_LIMIT_MONTHLY: 'clock',
  DO_NOT_CALL: 'person',
  RECENTLY_CALLED: 'clock',
  ALREADY_SCHEDULED: 'other_call',
};

/** Those of a kind, in the order of the contract. */
export function guardrailsOf(kind: GuardrailKind): (typeof GUARDRAILS)[number][] {
  return GUARDRAILS.filter(({ reason }) => KINDS[reason] === kind);
}
