const HOUR_MS = 3_600_000;

/** Re-dial window: "a number with a call already processed in the last 12 hours is not dialed" (contract 4.1, rule 8). */
export const REDIAL_WINDOW_MS = 12 * HOUR_MS;

/** What the guardrails are told of one call to one number, read in one statement under the number's lock. */
export interface GuardrailFacts {
  /** ISO country of the number; null where a number belongs to none (satellite, international freephone). */
  country: string | null;
  /** null: any country. */
  allowedCountries: readonly string[] | null;
  whitelistOnly: boolean;
  whitelisted: boolean;
  /** Calls a calendar month (UTC) that the team's plan allows; null: no limit. */
  monthlyCallLimit: number | null;
  /** Calls counted against the plan in the current month. */
  planUsed: number;
  /** Whether this very call is among them. */
  countedThisMonth: boolean;
  numberDailyLimit: number | null;
  numberWeeklyLimit: number | null;
  numberMonthlyLimit: number | null;
  /** Instants (ms) of the other calls to the number processed in the last 30 days. */
  processedAt: readonly number[];
  onDoNotCall: boolean;
  /** The oldest pending call to the number that is older than this one. */
  olderPendingCallId: string | null;
}

export type GuardrailReason =
  | 'COUNTRY_NOT_ALLOWED'
  | 'NOT_WHITELISTED'
  | 'PLAN_LIMIT'
  | 'NUMBER_LIMIT_DAILY'
  | 'NUMBER_LIMIT_WEEKLY'
  | 'NUMBER_LIMIT_MONTHLY'
  | 'DO_NOT_CALL'
  | 'RECENTLY_CALLED'
  | 'ALREADY_SCHEDULED';

/**
 * What one rule said, with what it went by. `retryAt` is when the same facts would no longer refuse, and is left out
 * where waiting does not help.
 */
export type Verdict =
  { allow: true; evidence: Evidence } | { allow: false; evidence: Evidence; retryAt?: string };

export type Evidence = Record<string, string | number | boolean | null | readonly string[]>;

/** What all guardrails said of one call request at one instant; kept with the call. */
export interface Decision {
  /** ISO 8601, UTC. */
  at: string;
  allow: boolean;
  /** The first rule that refused, in the contract's order. */
  reason: GuardrailReason | null;
  rules: ({ reason: GuardrailReason } & Verdict)[];
}

type Rule = (facts: GuardrailFacts, now: Date) => Verdict;

/**
 * The rules in the order of contract 4.1 (rules 5 to 9), the country first. All are judged, so that the
 * decision shows the evidence of each; the first refusal is the answer.
 */
const RULES: readonly (readonly [GuardrailReason, Rule])[] = [
  ['COUNTRY_NOT_ALLOWED', countryAllowed],
  ['NOT_WHITELISTED', whitelisted],
  ['PLAN_LIMIT', withinPlan],
  ['NUMBER_LIMIT_DAILY', (facts, now) => withinNumberLimit(facts.numberDailyLimit, 24, facts, now)],
  ['NUMBER_LIMIT_WEEKLY', (facts, now) => withinNumberLimit(facts.numberWeeklyLimit, 7 * 24, facts, now)],
  ['NUMBER_LIMIT_MONTHLY', (facts, now) => withinNumberLimit(facts.numberMonthlyLimit, 30 * 24, facts, now)],
  ['DO_NOT_CALL', notOnDoNotCall],
  ['RECENTLY_CALLED', notRecentlyCalled],
  ['ALREADY_SCHEDULED', noOlderPendingCall],
];

export const GUARDRAIL_REASONS = RULES.map(([reason]) => reason);

/** Judges every guardrail at `now`. Pure. */
export function judge(facts: GuardrailFacts, now: Date): Decision {
  const rules = RULES.map(([reason, rule]) => ({ reason, ...rule(facts, now) }));
  const refusal = rules.find((rule) => !rule.allow);
  return { at: now.toISOString(), allow: refusal === undefined, reason: refusal?.reason ?? null, rules };
}

/** Whether a team's `allowedCountries` admit a number's country; a number of no country only passes "any". */
export function countryAllowed(facts: Pick<GuardrailFacts, 'country' | 'allowedCountries'>): Verdict {
  const { country, allowedCountries } = facts;
  const allow = allowedCountries === null || (country !== null && allowedCountries.includes(country));
  return { allow, evidence: { country, allowedCountries } };
}

function whitelisted({ whitelistOnly, whitelisted }: GuardrailFacts): Verdict {
  return { allow: !whitelistOnly || whitelisted, evidence: { whitelistOnly, whitelisted } };
}

/** A call already counted this month has passed this rule; limit n refuses the (n+1)st. */
function withinPlan({ monthlyCallLimit, planUsed, countedThisMonth }: GuardrailFacts, now: Date): Verdict {
  const allow = monthlyCallLimit === null || countedThisMonth || planUsed < monthlyCallLimit;
  const evidence = {
    limit: monthlyCallLimit,
    used: monthlyCallLimit === null ? null : planUsed,
    countedThisMonth,
  };
  // A limit of 0 refuses in every month.
  if (allow || monthlyCallLimit === 0) return { allow, evidence };
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return { allow, evidence, retryAt: nextMonth.toISOString() };
}

/** Rolling windows, because the law counts so; a call exactly `hours` old is outside. */
function withinNumberLimit(limit: number | null, hours: number, facts: GuardrailFacts, now: Date): Verdict {
  const since = now.getTime() - hours * HOUR_MS;
  const inWindow = facts.processedAt.filter((at) => at > since).sort((a, b) => a - b);
  const evidence = { limit, processed: inWindow.length, windowHours: hours };
  if (limit === null || inWindow.length < limit) return { allow: true, evidence };
  const leavesLast = inWindow[inWindow.length - limit];
  if (leavesLast === undefined) return { allow: false, evidence };
  return { allow: false, evidence, retryAt: new Date(leavesLast + hours * HOUR_MS).toISOString() };
}

function notOnDoNotCall({ onDoNotCall }: GuardrailFacts): Verdict {
  return { allow: !onDoNotCall, evidence: { onDoNotCall } };
}

function notRecentlyCalled({ processedAt }: GuardrailFacts, now: Date): Verdict {
  const last = processedAt.length === 0 ? null : Math.max(...processedAt);
  const evidence = { lastProcessedAt: last === null ? null : new Date(last).toISOString(), windowHours: 12 };
  if (last === null || last + REDIAL_WINDOW_MS <= now.getTime()) return { allow: true, evidence };
  return { allow: false, evidence, retryAt: new Date(last + REDIAL_WINDOW_MS).toISOString() };
}

/** Only an older pending call counts, so that two calls for one number never block each other. */
function noOlderPendingCall({ olderPendingCallId }: GuardrailFacts): Verdict {
  return { allow: olderPendingCallId === null, evidence: { olderPendingCallId } };
}
