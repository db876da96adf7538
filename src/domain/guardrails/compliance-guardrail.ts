import { judge, refusalFor } from '../compliance/judge.js';
import { type RuleKind } from '../compliance/pack.js';
import { type ComplianceReason } from '../compliance/rules/rule-outcome.js';
import {
  type Guardrail,
  guardrail,
  type GuardrailFacts,
  type RuleResult,
  type StoredResult,
} from './guardrail.js';

/** What differs between the guardrails of packs. */
type OfPacks<Reason extends ComplianceReason> = Omit<Guardrail<Reason>, 'check' | 'appliesTo'> & {
  /** The kind of the rules by which the guardrail refuses. */
  of: RuleKind;
};

/**
 * A guardrail that refuses if an enforced rule of a pack does. Its evidence names the rule and its citation. It stands
 * behind the guardrails of the contract, and is evaluated only for calls that such a rule concerns.
 */
export function complianceGuardrail<const Reason extends ComplianceReason>({
  of,
  ...texts
}: OfPacks<Reason>): Guardrail<Reason> {
  return guardrail({
    ...texts,
    appliesTo: ({ compliance }) =>
      compliance !== null &&
      compliance.rules.some(({ rule, mode }) => rule.kind === of && mode === 'enforce'),
    check: (facts, now) => resultFor(texts.reason, of, facts, now),
  });
}

function resultFor(
  reason: ComplianceReason,
  kind: RuleKind,
  { compliance }: GuardrailFacts,
  now: Date,
): RuleResult {
  if (compliance === null) return { allow: true, evidence: {} };
  const judgement = judge(compliance, now);
  const refusal = refusalFor(judgement, reason);
  if (refusal === undefined) {
    const rules = judgement.verdicts.filter(({ rule, mode }) => rule.kind === kind && mode === 'enforce');
    return { allow: true, evidence: { rules: rules.map(({ rule }) => rule.id) } };
  }
  const { rule, pack, evidence, retryAt } = refusal;
  return {
    allow: false,
    evidence: { rule: rule.id, pack, citation: rule.citation, ...evidence },
    ...(retryAt !== undefined && { retryAt: new Date(retryAt).toISOString() }),
  };
}

/** The rules that allow the call, or the one that refuses it, as the beginning of a sentence. */
export function ruleOf({ allow, evidence }: StoredResult): string {
  if (!allow) return `Rule ${String(evidence.rule)} (${String(evidence.citation)})`;
  const rules = Array.isArray(evidence.rules) ? evidence.rules : [];
  return rules.length === 0 ? 'No rule in force' : `Rule${rules.length === 1 ? '' : 's'} ${rules.join(', ')}`;
}
