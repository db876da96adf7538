import { type ComplianceRecord, recordOf } from '../compliance/record.js';
import { alreadyScheduled } from './already-scheduled.js';
import { callingProhibited } from './calling-prohibited.js';
import { consentRequired } from './consent-required.js';
import { coolOff } from './cool-off.js';
import { countryNotAllowed } from './country-not-allowed.js';
import { doNotCall } from './do-not-call.js';
import { type GuardrailFacts, type RuleResult } from './guardrail.js';
import { jurisdictionCap } from './jurisdiction-cap.js';
import { notWhitelisted } from './not-whitelisted.js';
import { numberLimitDaily, numberLimitMonthly, numberLimitWeekly } from './number-limits.js';
import { onRegister } from './on-register.js';
import { planLimit } from './plan-limit.js';
import { recentlyCalled } from './recently-called.js';
import { registerStale } from './register-stale.js';
import { suspended } from './suspended.js';
import { unknownLocation } from './unknown-location.js';
import { zoneUnknown } from './zone-unknown.js';

/**
 * Every guardrail, in the order of contract 4.1 (rules 5 to 9). The country and the time zone come first, and those of
 * packs last.
 */
export const GUARDRAILS = [
  countryNotAllowed,
  zoneUnknown,
  notWhitelisted,
  planLimit,
  numberLimitDaily,
  numberLimitWeekly,
  numberLimitMonthly,
  doNotCall,
  recentlyCalled,
  alreadyScheduled,
  jurisdictionCap,
  coolOff,
  consentRequired,
  callingProhibited,
  suspended,
  onRegister,
  registerStale,
  unknownLocation,
] as const;

export type GuardrailReason = (typeof GUARDRAILS)[number]['reason'];

export const GUARDRAIL_REASONS: readonly GuardrailReason[] = GUARDRAILS.map(({ reason }) => reason);

/** The results of all guardrails for one call request at one instant. They are stored with the call. */
export interface Decision {
  /** ISO 8601, UTC. */
  at: string;
  allow: boolean;
  /** The first rule that refused, in the contract's order. */
  reason: GuardrailReason | null;
  rules: ({ reason: GuardrailReason } & RuleResult)[];
  /** What packs say. It is absent for a team whose compliance is `off`. */
  compliance?: ComplianceRecord;
  /** What no rule refuses, but a person should know. It is absent without warnings. */
  warnings?: DecisionWarning[];
}

/** `key` names the field of the call request, or the template of the agent. */
export interface DecisionWarning {
  key: 'phoneNumber' | 'promptTemplate';
  text: string;
}

const UNKNOWN_RANGE: DecisionWarning = {
  key: 'phoneNumber',
  text: 'The number has a possible length, but its range is not known to this version. It may not exist.',
};

/** Whether a guardrail applies to a call with these facts. */
export function concerns({ appliesTo }: (typeof GUARDRAILS)[number], facts: GuardrailFacts): boolean {
  return appliesTo === undefined || appliesTo(facts);
}

/**
 * Evaluates every guardrail that applies at `now`, so that the decision shows the evidence of each. The first
 * refusal gives the `reason`. Pure.
 *
 * @param exempted the facts for guardrails that are `exemptibleForRetries`.
 */
export function evaluateGuardrails(facts: GuardrailFacts, now: Date, exempted = facts): Decision {
  const rules = GUARDRAILS.filter((one) => concerns(one, facts)).map(
    ({ reason, check, exemptibleForRetries }) => ({
      reason,
      ...check(exemptibleForRetries ? exempted : facts, now),
    }),
  );
  const refusal = rules.find((rule) => !rule.allow);
  return {
    at: now.toISOString(),
    allow: refusal === undefined,
    reason: refusal?.reason ?? null,
    rules,
    ...(facts.unknownRange && { warnings: [UNKNOWN_RANGE] }),
    ...(facts.compliance !== null && { compliance: recordOf(facts.compliance, now) }),
  };
}

/**
 * The decision that is stored with a call that waits for its opening. No guardrail is evaluated before the call is due.
 * Undefined if packs do not narrow the hours of the call.
 */
export function scheduledByLaw({ compliance }: GuardrailFacts, now: Date): Decision | undefined {
  if (compliance === null || compliance.lawfulHours.length === 0) return undefined;
  return {
    at: now.toISOString(),
    allow: true,
    reason: null,
    rules: [],
    compliance: recordOf(compliance, now),
  };
}

/** The decision about a call for which the agent's hours and those of the law have no common opening. */
export function withoutLawfulOpening(facts: GuardrailFacts, now: Date): Decision {
  const decision = evaluateGuardrails(facts, now);
  const { reason } = callingProhibited;
  const refusal = { reason, allow: false as const, evidence: { opening: null } };
  return {
    ...decision,
    allow: false,
    reason,
    rules: [...decision.rules.filter((rule) => rule.reason !== reason), refusal],
  };
}

/** @returns undefined for a reason that no guardrail of this version has. */
export function guardrailOf(reason: string): (typeof GUARDRAILS)[number] | undefined {
  return GUARDRAILS.find((guardrail) => guardrail.reason === reason);
}
