import { type Response } from 'supertest';

/** The message of each refusal of the call endpoint, as integrators read them. */
export const CALL_MESSAGES = {
  COUNTRY_NOT_ALLOWED: 'phoneNumber is in a country that the team does not call',
  ZONE_UNKNOWN:
    'The stored time zone is not an IANA name: correct that of the contact or agent, or send timezone',
  FROM_NUMBER_INVALID:
    'fromPhoneNumber must be an active phone number of the team with outbound calling enabled',
  NUMBER_POOL_INVALID: 'numberPoolId must be a number pool of the team with at least one usable number',
  NO_CALLER_ID:
    'The agent has no usable caller ID: give it an outbound number or pool, or send fromPhoneNumber',
  NOT_WHITELISTED: 'phoneNumber is not on the team’s outbound whitelist',
  PLAN_LIMIT: 'The team’s monthly call limit is reached',
  NUMBER_LIMIT_DAILY: 'The daily call limit for this number is reached',
  NUMBER_LIMIT_WEEKLY: 'The weekly call limit for this number is reached',
  NUMBER_LIMIT_MONTHLY: 'The monthly call limit for this number is reached',
  AGENT_NOT_FOUND: 'Agent not found',
  INVALID_API_KEY: 'Invalid API Key for agent',
  DO_NOT_CALL: 'The number is on the Do Not Call list and is not dialed',
  RECENTLY_CALLED: 'A call to this number was already processed within the last 12 hours',
  ALREADY_SCHEDULED: 'A call is already scheduled for this number',
} as const;

export type CallReason = keyof typeof CALL_MESSAGES;

const RETRYABLE: ReadonlySet<CallReason> = new Set([
  'PLAN_LIMIT',
  'NUMBER_LIMIT_DAILY',
  'NUMBER_LIMIT_WEEKLY',
  'NUMBER_LIMIT_MONTHLY',
  'RECENTLY_CALLED',
  'ALREADY_SCHEDULED',
]);

/** The body of a refusal of the call endpoint. */
export function refusalBody(status: number, reason: CallReason): object {
  return {
    ...(status === 500 ? { success: false } : {}),
    message: CALL_MESSAGES[reason],
    reason,
    retryable: RETRYABLE.has(reason),
  };
}

/** Status and whole body, to be compared at once; no refusal carries a callRequestId. */
export function refusal(answer: Response): [number, unknown] {
  return [answer.status, answer.body];
}
