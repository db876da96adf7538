import { type GuardrailFacts, type GuardrailKind } from '../../guardrails/guardrail.js';
import { concerns, GUARDRAILS } from '../../guardrails/guardrails.js';

/** The guardrails of a kind, in the order of the contract. */
export function guardrailsOf(kind: GuardrailKind): readonly (typeof GUARDRAILS)[number][] {
  return BY_KIND[kind];
}

/** Those of a kind that concern a call with these facts, in the same order. */
export function guardrailsFor(
  kind: GuardrailKind,
  facts: GuardrailFacts,
): readonly (typeof GUARDRAILS)[number][] {
  return BY_KIND[kind].filter((guardrail) => concerns(guardrail, facts));
}

const ofKind = (kind: GuardrailKind) => GUARDRAILS.filter((guardrail) => guardrail.kind === kind);
const BY_KIND = {
  person: ofKind('person'),
  clock: ofKind('clock'),
  configuration: ofKind('configuration'),
  zone: ofKind('zone'),
  other_call: ofKind('other_call'),
};
