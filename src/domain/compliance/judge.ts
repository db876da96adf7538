import { type Evidence } from '../evidence.js';
import { isoDate } from '../openings.js';
import { localTime } from '../zones/local-time.js';
import {
  type ComplianceCase,
  isHours,
  type JudgedRule,
  lawfulHoursOf,
  type RuleMode,
} from './compliance-case.js';
import { isOpenInAll } from './lawful-hours.js';
import { localDay } from './local-day.js';
import { CALLED_PARTY, type DisclosureRule, type PackRule } from './pack.js';
import { type Consenting, consentFor } from './rules/consents.js';
import { checkCoolOff } from './rules/cool-off.js';
import { checkFrequencyCap } from './rules/frequency-cap.js';
import { checkRegister } from './rules/register-scrub.js';
import { COMPLIANCE_REASONS, type ComplianceReason, type RuleOutcome } from './rules/rule-outcome.js';

/** `warn`: the rule would refuse the call, and is not enforced. `lifted`: a consent lifts the rule. */
export const VERDICTS = ['allow', 'refuse', 'warn', 'lifted'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What one rule says of a call at an instant. */
export interface RuleVerdict {
  pack: string;
  rule: PackRule;
  mode: RuleMode;
  verdict: Verdict;
  /** Why the rule refuses or would refuse; null: it does not, or it narrows the schedule. */
  reason: ComplianceReason | null;
  evidence: Evidence;
  /** Epoch milliseconds; see {@link RuleOutcome}. */
  retryAt?: number;
  /** The id of the consent on which the call relies under the rule. */
  consent?: string;
}

/** What the packs say of a call at an instant. */
export interface Judgement {
  at: Date;
  /** Of each rule in force, in the order of the packs. */
  verdicts: readonly RuleVerdict[];
  /** Whether it is not known where the called person is, and the team enforces. */
  locationUnknown: boolean;
  /** What must be said in the call, whatever the mode. */
  disclosures: readonly DisclosureRule[];
  /** The ids of the consents on which the call relies. */
  consents: readonly string[];
}

const latest = new WeakMap<ComplianceCase, Judgement>();

/** Judges a call by the rules that are in force at `now`. Pure; the latest judgement of a case is remembered. */
export function judge(one: ComplianceCase, now: Date): Judgement {
  const known = latest.get(one);
  if (known?.at.getTime() === now.getTime()) return known;
  const judgement = judged(one, now);
  latest.set(one, judgement);
  return judgement;
}

function judged(one: ComplianceCase, now: Date): Judgement {
  const { setting, place } = one.facts;
  const dates = datesOf(place.zones, now);
  const inForce = one.rules.filter(({ rule }) => isInForce(rule, dates, now));
  const { consents, purpose } = one.facts;
  const consenting = { consents, purpose: purpose ?? setting.purpose, voice: setting.voice };
  const verdicts = inForce.map((each) => verdictOf(each, one, consenting, now));
  return {
    at: now,
    verdicts,
    locationUnknown: setting.mode === 'enforce' && place.zones.length === 0,
    disclosures: inForce.flatMap(({ rule }) => (rule.kind === 'disclosure' ? [rule] : [])),
    consents: [...new Set(verdicts.flatMap(({ consent }) => consent ?? []))],
  };
}

/** The dates that it may be at the called person's place. */
function datesOf(zones: readonly string[], now: Date): string[] {
  const days = (zones.length === 0 ? ['UTC'] : zones).map((zone) => localDay(zone, now.getTime()));
  return [...new Set(days)].map(isoDate);
}

function isInForce(rule: PackRule, dates: readonly string[], now: Date): boolean {
  const { effectiveFrom, effectiveTo } = rule;
  const hasOwnClock = rule.kind === 'callingHours' && rule.clock !== CALLED_PARTY;
  return (hasOwnClock ? datesOf([rule.clock], now) : dates).some(
    (date) =>
      (effectiveFrom === null || effectiveFrom <= date) && (effectiveTo === null || date <= effectiveTo),
  );
}

/** Results are literals without spreads, because they are most of what a trigger costs under packs. */
function verdictOf(
  { pack, rule, mode }: JudgedRule,
  { facts }: ComplianceCase,
  consenting: Consenting,
  now: Date,
): RuleVerdict {
  const outcome = outcomeOf(rule, facts, consenting, now);
  if (outcome.allow) {
    const consent = outcome.consent ?? undefined;
    return { pack, rule, mode, verdict: 'allow', reason: null, evidence: outcome.evidence, consent };
  }
  const { reason, evidence, retryAt } = outcome;
  const lifting =
    rule.unless === null || isHours(rule)
      ? undefined
      : consentFor(rule, rule.unless, consenting, now.getTime());
  if (lifting !== undefined) {
    const lifted = { ...evidence, consent: lifting.id, level: lifting.level };
    const consent = lifting.id ?? undefined;
    return { pack, rule, mode, verdict: 'lifted', reason: null, evidence: lifted, consent };
  }
  const verdict = mode === 'enforce' ? 'refuse' : 'warn';
  return { pack, rule, mode, verdict, reason, evidence, retryAt };
}

function outcomeOf(
  rule: PackRule,
  { place, processedAt, lastConversationAt, registers }: ComplianceCase['facts'],
  consenting: Consenting,
  now: Date,
): RuleOutcome {
  const at = now.getTime();
  switch (rule.kind) {
    case 'callingHours':
    case 'closedDates': {
      const hours = lawfulHoursOf(rule, place.zones);
      // By the clock of a place that is not known, no window is known.
      if (hours.zones.length === 0 || isOpenInAll([hours], now)) return { allow: true, evidence: {} };
      const localTimes = hours.zones.map((zone) => localTime(zone, now));
      return { allow: false, reason: null, evidence: { localTimes: [...new Set(localTimes)] } };
    }
    case 'frequencyCap':
      return checkFrequencyCap(rule, place.zones, processedAt, at);
    case 'coolOff':
      return checkCoolOff(rule, place.zones, lastConversationAt, at);
    case 'consentRequired': {
      const consent = consentFor(rule, rule.level, consenting, at);
      const evidence = { required: rule.level, consent: consent?.id ?? null, level: consent?.level ?? null };
      return consent === undefined
        ? { allow: false, reason: 'CONSENT_REQUIRED', evidence }
        : { allow: true, evidence, consent: consent.id };
    }
    case 'prohibition':
      return { allow: false, reason: 'CALLING_PROHIBITED', evidence: { what: rule.what } };
    case 'suspension':
      return { allow: false, reason: 'SUSPENDED', evidence: { what: rule.what, until: rule.effectiveTo } };
    case 'registerScrub':
      return checkRegister(rule, registers, at);
    case 'disclosure':
      return { allow: true, evidence: { disclosure: rule.disclosure } };
  }
}

/**
 * What decides for a reason: of enforced refusals, the one that lasts longest. Undefined if no enforced rule
 * refuses for the reason.
 */
export function refusalFor(
  { verdicts }: Judgement,
  reason: ComplianceReason,
): (RuleVerdict & { verdict: 'refuse' }) | undefined {
  const refusing = verdicts.filter(
    (one): one is RuleVerdict & { verdict: 'refuse' } => one.verdict === 'refuse' && one.reason === reason,
  );
  const lasts = ({ retryAt }: RuleVerdict) => retryAt ?? Infinity;
  return refusing.reduce<(typeof refusing)[number] | undefined>(
    (longest, one) => (longest === undefined || lasts(one) > lasts(longest) ? one : longest),
    undefined,
  );
}

/** The first reason by which the packs refuse the call; null: they do not. */
export function firstRefusal(judgement: Judgement): ComplianceReason | null {
  const reasons = COMPLIANCE_REASONS.filter(
    (reason) =>
      (reason === 'UNKNOWN_LOCATION' && judgement.locationUnknown) ||
      refusalFor(judgement, reason) !== undefined,
  );
  return reasons[0] ?? null;
}
