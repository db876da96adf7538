import { type GuardrailKind } from '../../guardrails/guardrail.js';
import { GUARDRAILS } from '../../guardrails/guardrails.js';

/** Those of a kind, in the order of the contract. */
export function guardrailsOf(kind: GuardrailKind): (typeof GUARDRAILS)[number][] {
  return GUARDRAILS.filter((guardrail) => guardrail.kind === kind);
}
