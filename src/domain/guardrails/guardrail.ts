import { type ZoneSource } from '../calling-hours.js';
import { type ComplianceCase } from '../compliance/compliance-case.js';
import { type Evidence } from '../evidence.js';
import { type SuppressionScope } from '../limited-entry.js';
import { type TeamRuleValues, UNRESTRICTED_TEAM } from '../team-settings.js';

/** The settings of a team that guardrails read. */
export type TeamRules = TeamRuleValues;

/** The facts about one call to one number. Triggers and firings read them under the number's lock. */
export interface GuardrailFacts extends TeamRules {
  /** ISO country of the number; null for a number of no country (satellite, international freephone). */
  country: string | null;
  /** The name of the time zone by which calling hours are evaluated. */
  zone: string;
  zoneSource: ZoneSource;
  /** Whether the number is in no range that is known; no guardrail refuses it. */
  unknownRange: boolean;
  whitelisted: boolean;
  /** Calls counted against the plan in the current month. */
  planUsed: number;
  /** Whether this call is one of those that `planUsed` counts. */
  countedThisMonth: boolean;
  /** Instants (ms) at which other calls to the number were processed in the last 30 days. */
  processedAt: readonly number[];
  onDoNotCall: boolean;
  /** Whose Do Not Call entry it is; absent: the team's. */
  doNotCallScope?: Exclude<SuppressionScope, 'team'>;
  /** The id of the oldest of the pending calls to the number that are older than this call. */
  olderPendingCallId: string | null;
  /** What packs judge; null for a team whose compliance is `off`. */
  compliance: ComplianceCase | null;
}

/** The facts of a team without limits, about a number that the team never called. No guardrail refuses. */
export const UNRESTRICTED: GuardrailFacts = {
  ...UNRESTRICTED_TEAM,
  country: null,
  zone: 'UTC',
  zoneSource: 'agent',
  unknownRange: false,
  whitelisted: false,
  planUsed: 0,
  countedThisMonth: false,
  processedAt: [],
  onDoNotCall: false,
  olderPendingCallId: null,
  compliance: null,
};

/**
 * The result of one rule. `retryAt` (ISO 8601, UTC) is the instant from which the rule would allow the call
 * by the same facts. It is absent if waiting does not help.
 */
export type RuleResult =
  { allow: true; evidence: Evidence } | { allow: false; evidence: Evidence; retryAt?: string };

/** A stored result, as the narrator reads it. An older version may have written the evidence. */
export interface StoredResult {
  allow: boolean;
  evidence: Evidence;
}

/**
 * What a refusal means for an enrollment. `person`: the enrollment ends. `clock`: the enrollment is deferred
 * to `retryAt`. `configuration`: the enrollment is held. `zone`: the enrollment is held
 * until its time zone is corrected. `other_call`: the enrollment is deferred until
 * another call to the number has ended.
 */
export type GuardrailKind = 'person' | 'clock' | 'configuration' | 'zone' | 'other_call';

/** A rule that can refuse a well-formed call. */
export interface Guardrail<Reason extends string = string> {
  /** The machine-readable code of its refusal. */
  reason: Reason;
  /** The status and the message of its refusal on the call endpoint (contract 4.1). */
  status: 400 | 429 | 500;
  message: string;
  /** Whether the same request may be accepted later without a change. */
  retryable: boolean;
  kind: GuardrailKind;
  /**
   * Whether the trigger evaluates the guardrail outside calling hours as well, because its result does not
   * depend on the time.
   */
  beforeScheduling?: boolean;
  /**
   * Whether a team's `retryWithinRedialWindow` exempts campaigns' retries and requested callbacks from the
   * guardrail.
   */
  exemptibleForRetries?: boolean;
  /** Whether the decision about a call has the guardrail; absent: every decision has it. */
  appliesTo?: (facts: GuardrailFacts) => boolean;
  /** The name of the guardrail on pages. */
  title: string;
  /** The refusal of a call, as a sentence without its full stop. */
  label: string;
  /** Pure. */
  check: (facts: GuardrailFacts, now: Date) => RuleResult;
  /**
   * The evidence as a sentence.
   *
   * @param timeOf formats an instant for the reader.
   */
  explain: (result: StoredResult, timeOf: (instant: string) => string) => string;
}

/** Keeps the literal type of the reason. */
export function guardrail<const Reason extends string>(rule: Guardrail<Reason>): Guardrail<Reason> {
  return rule;
}

/** A fact of the evidence as text. */
export function shown(evidence: Evidence, name: string): string {
  return String(evidence[name] ?? 'unknown');
}

export const HOUR_MS = 3_600_000;
