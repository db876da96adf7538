/** The settings of a team that guardrails read. */
export interface TeamRules {
  /** null: any country. */
  allowedCountries: readonly string[] | null;
  whitelistOnly: boolean;
  /** Calls a calendar month (UTC) that the team's plan allows; null: no limit. */
  monthlyCallLimit: number | null;
  numberDailyLimit: number | null;
  numberWeeklyLimit: number | null;
  numberMonthlyLimit: number | null;
}

/** The facts about one call to one number, read in one statement under the number's lock. */
export interface GuardrailFacts extends TeamRules {
  /** ISO country of the number; null where a number belongs to none (satellite, international freephone). */
  country: string | null;
  whitelisted: boolean;
  /** Calls counted against the plan in the current month. */
  planUsed: number;
  /** Whether this very call is among them. */
  countedThisMonth: boolean;
  /** Instants (ms) of the other calls to the number processed in the last 30 days. */
  processedAt: readonly number[];
  onDoNotCall: boolean;
  /** The oldest pending call to the number that is older than this one. */
  olderPendingCallId: string | null;
}

/** The facts of a team without limits about a number that it never called: no guardrail refuses. */
export const UNRESTRICTED: GuardrailFacts = {
  country: null,
  allowedCountries: null,
  whitelistOnly: false,
  whitelisted: false,
  monthlyCallLimit: null,
  planUsed: 0,
  countedThisMonth: false,
  numberDailyLimit: null,
  numberWeeklyLimit: null,
  numberMonthlyLimit: null,
  processedAt: [],
  onDoNotCall: false,
  olderPendingCallId: null,
};

/** The facts that a rule used, kept with the call. */
export type Evidence = Record<string, string | number | boolean | null | readonly string[]>;

/**
 * The result of one rule. `retryAt` (ISO 8601, UTC) is when the same facts would no longer refuse; it is
 * absent where waiting does not help.
 */
export type RuleResult =
  { allow: true; evidence: Evidence } | { allow: false; evidence: Evidence; retryAt?: string };

/** A stored result, as the narrator gets it: the evidence may come from an older version. */
export interface StoredResult {
  allow: boolean;
  evidence: Evidence;
}

/**
 * What a refusal means for an enrollment. `person`: it ends. `clock`: it is deferred to `retryAt`.
 * `configuration`: it is held. `other_call`: it is deferred to the end of another call to the number.
 */
export type GuardrailKind = 'person' | 'clock' | 'configuration' | 'other_call';

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
   * Whether the trigger evaluates it outside calling hours as well, because its result is the same when the
   * call is due.
   */
  beforeScheduling?: boolean;
  /**
   * Whether a team's `retryWithinRedialWindow` exempts retries and requested callbacks of campaigns from it.
   */
  exemptibleForRetries?: boolean;
  /** Its name on pages. */
  title: string;
  /** Its refusal of a call, as a sentence without its full stop. */
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
