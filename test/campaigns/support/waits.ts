import { type WaitingFor } from '../../../src/domain/campaigns/decide/decision.js';

/** What an enrollment waits for until an instant: its read names that instant as `retryAt`. */
export const UNTIL_AN_INSTANT: readonly WaitingFor[] = [
  'after',
  'retry',
  'callback',
  'hours',
  'caps',
  'RECENTLY_CALLED',
  'NUMBER_LIMIT_DAILY',
  'NUMBER_LIMIT_WEEKLY',
  'NUMBER_LIMIT_MONTHLY',
  'number_busy',
  'carrier',
  'pacing',
];

/** What it waits for until the operator changes something. */
export const UNTIL_A_CHANGE: readonly WaitingFor[] = [
  'draft',
  'paused',
  'COUNTRY_NOT_ALLOWED',
  'NOT_WHITELISTED',
  'PLAN_LIMIT',
  'caller_id',
  'zone',
];

/** What it waits for until a call has ended or is reported. */
export const UNTIL_A_REPORT: readonly WaitingFor[] = ['concurrency', 'in_call', 'result', 'outcome'];

/**
 * Refusals of guardrails for which no enrollment waits: the first ends it, and the other is `number_busy`.
 */
export const NEVER_WAITED_FOR: readonly WaitingFor[] = ['DO_NOT_CALL', 'ALREADY_SCHEDULED'];

/** What it waits for on a version that places no calls. */
export const WITHOUT_CALLS: readonly WaitingFor[] = ['no_steps'];

/** What it waits for by the packs of an enforcing team; two of them end it (`test/domain/campaigns/decide-compliance`). */
export const BY_PACKS: readonly WaitingFor[] = [
  'JURISDICTION_CAP',
  'COOL_OFF',
  'CONSENT_REQUIRED',
  'CALLING_PROHIBITED',
  'SUSPENDED',
  'ON_REGISTER',
  'REGISTER_STALE',
  'UNKNOWN_LOCATION',
];
