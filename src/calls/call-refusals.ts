import { type CallerIdReason } from '../domain/caller-id.js';
import { type GuardrailReason } from '../domain/guardrails.js';

/** Every machine-readable `reason` with which the call endpoint refuses. */
export type RefusalReason =
  | 'INVALID_REQUEST'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_ENCODING'
  | 'RATE_LIMITED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_KEY_IN_FLIGHT'
  | 'AGENT_NOT_FOUND'
  | 'INVALID_API_KEY'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL'
  | CallerIdReason
  | GuardrailReason;

/** The one table from reason to status and words (contract 4.1 and 7; the words in quotes there are kept). */
export const REFUSALS: Record<RefusalReason, { status: number; message: string }> = {
  INVALID_REQUEST: { status: 400, message: 'The request is not valid' },
  FROM_NUMBER_INVALID: {
    status: 400,
    message: 'fromPhoneNumber must be an active phone number of the team with outbound calling enabled',
  },
  NUMBER_POOL_INVALID: {
    status: 400,
    message: 'numberPoolId must be a number pool of the team with at least one usable number',
  },
  NO_CALLER_ID: {
    status: 400,
    message: 'The agent has no usable caller ID: give it an outbound number or pool, or send fromPhoneNumber',
  },
  COUNTRY_NOT_ALLOWED: { status: 400, message: 'phoneNumber is in a country that the team does not call' },
  NOT_WHITELISTED: { status: 400, message: 'phoneNumber is not on the team’s outbound whitelist' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than 256 KB' },
  UNSUPPORTED_ENCODING: { status: 415, message: 'The body must have no Content-Encoding' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'The Idempotency-Key was used with another request' },
  IDEMPOTENCY_KEY_IN_FLIGHT: {
    status: 409,
    message: 'The first request with this Idempotency-Key has not been answered yet',
  },
  PLAN_LIMIT: { status: 429, message: 'The team’s monthly call limit is reached' },
  NUMBER_LIMIT_DAILY: { status: 429, message: 'The daily call limit for this number is reached' },
  NUMBER_LIMIT_WEEKLY: { status: 429, message: 'The weekly call limit for this number is reached' },
  NUMBER_LIMIT_MONTHLY: { status: 429, message: 'The monthly call limit for this number is reached' },
  RATE_LIMITED: { status: 429, message: 'Too many requests' },
  AGENT_NOT_FOUND: { status: 500, message: 'Agent not found' },
  INVALID_API_KEY: { status: 500, message: 'Invalid API Key for agent' },
  DO_NOT_CALL: { status: 500, message: 'The number is on the Do Not Call list and is not dialed' },
  RECENTLY_CALLED: {
    status: 500,
    message: 'A call to this number was already processed within the last 12 hours',
  },
  ALREADY_SCHEDULED: { status: 500, message: 'A call is already scheduled for this number' },
  SERVICE_UNAVAILABLE: { status: 500, message: 'The service is temporarily unavailable; try again shortly' },
  INTERNAL: { status: 500, message: 'Internal server error' },
};
