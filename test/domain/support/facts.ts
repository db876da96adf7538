import { type CallerIdCandidates, type CallerIdFacts } from '../../../src/domain/caller-id.js';
import { type FireFacts } from '../../../src/domain/fire-decision.js';
import { type CallingHours, type HoursFacts } from '../../../src/domain/calling-hours.js';
import { type TriggerFacts } from '../../../src/domain/trigger-decision.js';
import { type GuardrailFacts, UNRESTRICTED } from '../../../src/domain/guardrails/guardrail.js';
import {
  type Decision,
  GUARDRAILS,
  type GuardrailReason,
} from '../../../src/domain/guardrails/guardrails.js';
import { refusingCases } from './compliance.js';

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;

/** A Friday; 10:00 in New York and 16:00 in Berlin. */
export const NOW = new Date('2026-11-20T15:00:00.000Z');

export const after = (ms: number, from: Date = NOW) => new Date(from.getTime() + ms);
export const before = (ms: number, from: Date = NOW) => after(-ms, from);

/** Instants of calls that are this old at {@link NOW}. */
export const aged = (...ages: number[]) => ages.map((ms) => NOW.getTime() - ms);

/** Fridays from 09:00 to 17:00. In UTC and New York that is open at {@link NOW}, in Tokyo it is over. */
export const FRIDAYS: CallingHours = { friday: [{ start: '09:00', end: '17:00' }] };
/** Closed at {@link NOW} in every zone: the next opening in UTC is on Monday at 09:00. */
export const MONDAYS: CallingHours = { monday: [{ start: '09:00', end: '17:00' }] };
export const NEXT_MONDAY = new Date('2026-11-23T09:00:00.000Z');

/** A team without limits and a number that was never called: every guardrail agrees. */
export function guardrailFacts(facts: Partial<GuardrailFacts> = {}): GuardrailFacts {
  return { ...UNRESTRICTED, country: 'US', ...facts };
}

export const OLDER_CALL = 'c0ffee00-aaaa-4bbb-8ccc-ddddeeeeffff';

/** The guardrails that evaluate every call, in their order. Those of packs follow them. */
export const CONTRACT_REASONS: readonly GuardrailReason[] = GUARDRAILS.filter(
  ({ appliesTo }) => appliesTo === undefined,
).map(({ reason }) => reason);

const CASES = refusingCases(NOW.getTime());

/** For each guardrail, facts by which it refuses at {@link NOW} and no other one does. */
export const REFUSING: Record<GuardrailReason, Partial<GuardrailFacts>> = {
  COUNTRY_NOT_ALLOWED: { allowedCountries: ['DE', 'FR'] },
  ZONE_UNKNOWN: { zone: 'BST', zoneSource: 'contact' },
  NOT_WHITELISTED: { whitelistOnly: true },
  PLAN_LIMIT: { monthlyCallLimit: 5, planUsed: 5 },
  NUMBER_LIMIT_DAILY: { numberDailyLimit: 0 },
  NUMBER_LIMIT_WEEKLY: { numberWeeklyLimit: 0 },
  NUMBER_LIMIT_MONTHLY: { numberMonthlyLimit: 0 },
  DO_NOT_CALL: { onDoNotCall: true },
  RECENTLY_CALLED: { processedAt: [NOW.getTime() - HOUR] },
  ALREADY_SCHEDULED: { olderPendingCallId: OLDER_CALL },
  JURISDICTION_CAP: { compliance: CASES.JURISDICTION_CAP },
  COOL_OFF: { compliance: CASES.COOL_OFF },
  CONSENT_REQUIRED: { compliance: CASES.CONSENT_REQUIRED },
  CALLING_PROHIBITED: { compliance: CASES.CALLING_PROHIBITED },
  SUSPENDED: { compliance: CASES.SUSPENDED },
  ON_REGISTER: { compliance: CASES.ON_REGISTER },
  REGISTER_STALE: { compliance: CASES.REGISTER_STALE },
  UNKNOWN_LOCATION: { compliance: CASES.UNKNOWN_LOCATION },
};

/** What one rule said within a decision. */
export function ruleOf({ rules }: Decision, reason: GuardrailReason): Decision['rules'][number] {
  const rule = rules.find((candidate) => candidate.reason === reason);
  if (rule === undefined) throw new Error(`${reason} was not evaluated`);
  return rule;
}

export const retryAtOf = (rule: Decision['rules'][number]) => ('retryAt' in rule ? rule.retryAt : undefined);

/** Open at any time, by UTC. */
export function hoursFacts(facts: Partial<HoursFacts> = {}): HoursFacts {
  return {
    callingHours: null,
    closedDates: [],
    agentTimezone: 'UTC',
    contactTimezone: null,
    requestTimezone: null,
    ...facts,
  };
}

/** Only the agent's own number is set, and it is usable. */
export function callerIdFacts(facts: Partial<CallerIdFacts> = {}): CallerIdFacts {
  return { requestPool: null, fromNumber: null, agentPool: null, agentNumber: { usable: true }, ...facts };
}

export const AGENT_NUMBER = '+14155550100';

/** Only the agent's own number is set, and it is usable. */
export function callerIdCandidates(facts: Partial<CallerIdCandidates> = {}): CallerIdCandidates {
  return {
    requestPool: null,
    fromNumber: null,
    agentPool: null,
    agentNumber: { pick: AGENT_NUMBER },
    ...facts,
  };
}

/** A request that is queued. */
export function triggerFacts(facts: Partial<TriggerFacts> = {}): TriggerFacts {
  return { hours: hoursFacts(), callerId: callerIdFacts(), guardrails: guardrailFacts(), ...facts };
}

/** A call that is due at {@link NOW} and is claimed by its wake-up of generation 0. */
export function fireFacts(facts: Partial<FireFacts> = {}): FireFacts {
  return {
    status: 'queued',
    generation: 0,
    acceptedAt: before(SECOND),
    runsAt: before(SECOND),
    firstRunsAt: before(SECOND),
    expiresAt: after(DAY - SECOND),
    notAfter: null,
    paused: false,
    zoneDataInForce: null,
    hours: hoursFacts(),
    callerId: callerIdCandidates(),
    guardrails: guardrailFacts(),
    concurrencySlots: { limit: null, active: 0, olderWaiting: 0 },
    ...facts,
  };
}

/** All of these facts at once; of contradicting ones the last. */
export function merged<T>(parts: readonly Partial<T>[]): Partial<T> {
  return parts.reduce<Partial<T>>((all, part) => ({ ...all, ...part }), {});
}

/** So that a rule that writes to its facts throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Every combination of one of each key's alternatives. */
export function combinations<T extends object>(alternatives: { [K in keyof T]: readonly T[K][] }): T[] {
  return (Object.keys(alternatives) as (keyof T)[]).reduce<Partial<T>[]>(
    (rows, key) => rows.flatMap((row) => alternatives[key].map((value) => ({ ...row, [key]: value }))),
    [{}],
  ) as T[];
}
