import { type Decision, guardrailOf } from './guardrails.js';

/** The result of one rule as it is stored with a call. */
export type StoredRule = Decision['rules'][number];

/**
 * The evidence of a rule as sentences, with the instant from which the rule would allow the call.
 *
 * @param timeOf formats an instant for the reader.
 */
export function explainRule(rule: StoredRule, timeOf: (instant: string) => string): string {
  const { reason, evidence } = rule;
  if (evidence.erased === true) return 'The evidence was erased with the contact.';
  const explained = guardrailOf(reason)?.explain(rule, timeOf) ?? JSON.stringify(evidence);
  const retryAt = 'retryAt' in rule ? rule.retryAt : undefined;
  return retryAt === undefined ? explained : `${explained} It would agree again from ${timeOf(retryAt)}.`;
}
