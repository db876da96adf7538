import { type StoredRule } from '../guardrails/explain.js';
import { explainRule } from '../guardrails/explain.js';
import { type Verdict } from '../compliance/judge.js';
import { type ComplianceRecord } from '../compliance/record.js';
import { complianceView, type ComplianceView, type RuleView } from '../compliance/view.js';
import { type Decision } from '../guardrails/guardrails.js';
import { causeLabel, ruleTitle, stateLabel } from './labels.js';

/** Formats an instant (ISO 8601) for the reader. */
export type TimeOf = (at: string) => string;

/** The fields of a stored transition that the narrator reads. */
export interface StoredTransition {
  at: string;
  to: string;
  cause: string;
}

/** Entries that another version wrote in another shape are left out. */
export function transitionsOf(history: readonly unknown[]): StoredTransition[] {
  return history.filter((entry): entry is StoredTransition => {
    if (typeof entry !== 'object' || entry === null) return false;
    const { at, to, cause } = entry as Partial<StoredTransition>;
    return typeof at === 'string' && typeof to === 'string' && typeof cause === 'string';
  });
}

export interface NarratedTransition {
  /** ISO 8601. */
  at: string;
  cause: string;
  to: string;
}

/** What happened to a call, oldest first. */
export function tellHistory(history: readonly unknown[]): NarratedTransition[] {
  return transitionsOf(history).map(({ at, to, cause }) => ({
    at,
    cause: causeLabel(cause),
    to: stateLabel(to),
  }));
}

/** Decisions that another version stored in another shape are left out. */
export function decisionsOf(decisions: readonly unknown[]): Decision[] {
  return decisions.filter((value): value is Decision => {
    if (typeof value !== 'object' || value === null) return false;
    const { at, rules } = value as Partial<Decision>;
    const isRule = (rule: Partial<StoredRule> | null) => typeof rule?.evidence === 'object' && rule.evidence;
    return typeof at === 'string' && Array.isArray(rules) && rules.every(isRule);
  });
}

export interface ToldRule {
  reason: string;
  title: string;
  allow: boolean;
  /** The evidence as sentences. */
  text: string;
  /** The id of the older call that the text mentions. */
  olderCallId: string | null;
}

export interface ToldDecision {
  /** ISO 8601. */
  at: string;
  /** Such as `When it was requested: refused`. */
  title: string;
  rules: ToldRule[];
  /** What packs of rules of law said; null: they were not asked. */
  law: ToldLaw | null;
}

export interface ToldLaw {
  /** The place and the packs, as a sentence. */
  text: string;
  /** Of the rules in force, those first by which the call is refused, moved or warned about. */
  rules: { id: string; outcome: Verdict; verdict: string; text: string }[];
}

/** Every decision about a call with the evidence of each rule, oldest first. */
export function tellDecisions(
  { acceptedAt, decisions }: { acceptedAt: string; decisions: readonly unknown[] },
  timeOf: TimeOf,
): ToldDecision[] {
  return decisionsOf(decisions).map(({ at, allow, rules, compliance }) => {
    const when = at === acceptedAt ? 'When it was requested' : 'When it was about to be dialed';
    const waits = allow && rules.length === 0;
    return {
      at,
      title: `${when}: ${waits ? 'outside the hours' : allow ? 'allowed' : 'refused'}`,
      rules: rules.map((rule) => tellRule(rule, timeOf)),
      law: compliance === undefined ? null : tellLaw(compliance, timeOf),
    };
  });
}

const VERDICT_LABELS: Record<Verdict, string> = {
  refuse: 'refuses or moves the call',
  warn: 'would refuse or move it; not enforced',
  lifted: 'lifted by a consent',
  allow: 'allows it',
};
const VERDICT_ORDER = Object.keys(VERDICT_LABELS);

/** @param compliance as it is stored, or with the texts of its rules. */
function tellLaw(compliance: ComplianceRecord | ComplianceView, timeOf: TimeOf): ToldLaw {
  const view = 'rules' in compliance ? compliance : complianceView(compliance, []);
  const { zones, jurisdictions, packs, tzdata, firstLawfulAt, mode } = view;
  const place = [...jurisdictions, ...zones].join(', ') || 'unknown';
  const versions = Object.entries(packs).map(([pack, version]) => `${pack} ${version}`);
  const first = firstLawfulAt === null ? 'Waiting does not help' : `First lawful on ${timeOf(firstLawfulAt)}`;
  const by = versions.length === 0 ? 'no pack' : `packs ${versions.join(', ')}`;
  return {
    text: `Place: ${place}; ${by}; zone data ${tzdata}; mode ${mode}. ${mode === 'enforce' ? `${first}.` : ''}`.trimEnd(),
    rules: [...view.rules]
      .sort((one, other) => VERDICT_ORDER.indexOf(one.verdict) - VERDICT_ORDER.indexOf(other.verdict))
      .map((rule) => ({
        id: rule.id,
        outcome: rule.verdict,
        verdict: VERDICT_LABELS[rule.verdict],
        text: ruleText(rule),
      })),
  };
}

function ruleText({ citation, evidence }: RuleView): string {
  const facts = Object.entries(evidence).map(([name, value]) => `${name} ${String(value)}`);
  return [...(citation === null ? [] : [citation]), ...facts].join('; ');
}

/** For a call without decisions. */
export const NOT_EVALUATED =
  'No guardrail has been evaluated: they are evaluated when the call is about to be dialed.';

function tellRule(rule: StoredRule, timeOf: TimeOf): ToldRule {
  const { reason, allow, evidence } = rule;
  const { olderPendingCallId } = evidence;
  return {
    reason,
    title: ruleTitle(reason),
    allow,
    text: explainRule(rule, timeOf),
    olderCallId: typeof olderPendingCallId === 'string' ? olderPendingCallId : null,
  };
}
