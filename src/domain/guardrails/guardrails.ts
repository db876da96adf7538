import { alreadyScheduled } from './already-scheduled.js';
import { countryNotAllowed } from './country-not-allowed.js';
import { doNotCall } from './do-not-call.js';
import { type GuardrailFacts, type RuleResult } from './guardrail.js';
import { notWhitelisted } from './not-whitelisted.js';
import { numberLimitDaily, numberLimitMonthly, numberLimitWeekly } from './number-limits.js';
import { planLimit } from './plan-limit.js';
import { recentlyCalled } from './recently-called.js';
import { zoneUnknown } from './zone-unknown.js';

/** Every guardrail, in the order of contract 4.1 (rules 5 to 9). The country and the time zone come first. */
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
  /** What no rule refuses, but a person should know. It is absent without warnings. */
  warnings?: DecisionWarning[];
}

/** `key` names the field of the call request. */
export interface DecisionWarning {
  key: 'phoneNumber';
  text: string;
}

const UNKNOWN_RANGE: DecisionWarning = {
  key: 'phoneNumber',
  text: 'The number has a possible length, but its range is not known to this version. It may not exist.',
};

/**
 * Evaluates every guardrail at `now`, so that the decision shows the evidence of each guardrail. The first
 * refusal gives the `reason`. Pure.
 *
 * @param exempted the facts for guardrails that are `exemptibleForRetries`.
 */
export function evaluateGuardrails(facts: GuardrailFacts, now: Date, exempted = facts): Decision {
  const rules = GUARDRAILS.map(({ reason, check, exemptibleForRetries }) => ({
    reason,
    ...check(exemptibleForRetries ? exempted : facts, now),
  }));
  const refusal = rules.find((rule) => !rule.allow);
  return {
    at: now.toISOString(),
    allow: refusal === undefined,
    reason: refusal?.reason ?? null,
    rules,
    ...(facts.unknownRange && { warnings: [UNKNOWN_RANGE] }),
  };
}

/** @returns undefined for a reason that no guardrail of this version has. */
export function guardrailOf(reason: string): (typeof GUARDRAILS)[number] | undefined {
  return GUARDRAILS.find((guardrail) => guardrail.reason === reason);
}
