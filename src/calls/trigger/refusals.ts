import { type CallerIdReason } from '../../domain/caller-id.js';
import { GUARDRAILS, type GuardrailReason } from '../../domain/guardrails/guardrails.js';
import { KEY_IN_FLIGHT, KEY_REUSED } from '../../idempotency/idempotency.js';

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

export interface Refusal {
  status: number;
  message: string;
  /** Whether the same request may be accepted later without a change. */
  retryable: boolean;
}

const GUARDRAIL_REFUSALS = Object.fromEntries(
  GUARDRAILS.map(({ reason, status, message, retryable }) => [reason, { status, message, retryable }]),
) as Record<GuardrailReason, Refusal>;

/**
 * The table from reason to status, message and `retryable` (contract 4.1 and 7; texts that the contract
 * quotes are exact).
 */
export const REFUSALS: Record<RefusalReason, Refusal> = {
  ...GUARDRAIL_REFUSALS,
  INVALID_REQUEST: { status: 400, message: 'The request is not valid', retryable: false },
  FROM_NUMBER_INVALID: {
    status: 400,
    message: 'fromPhoneNumber must be an active phone number of the team with outbound calling enabled',
    retryable: false,
  },
  NUMBER_POOL_INVALID: {
    status: 400,
    message: 'numberPoolId must be a number pool of the team with at least one usable number',
    retryable: false,
  },
  NO_CALLER_ID: {
    status: 400,
    message: 'The agent has no usable caller ID: give it an outbound number or pool, or send fromPhoneNumber',
    retryable: false,
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than 256 KB', retryable: false },
  UNSUPPORTED_ENCODING: { status: 415, message: 'The body must have no Content-Encoding', retryable: false },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: KEY_REUSED, retryable: false },
  IDEMPOTENCY_KEY_IN_FLIGHT: { status: 409, message: KEY_IN_FLIGHT, retryable: true },
  RATE_LIMITED: { status: 429, message: 'Too many requests', retryable: true },
  AGENT_NOT_FOUND: { status: 500, message: 'Agent not found', retryable: false },
  INVALID_API_KEY: { status: 500, message: 'Invalid API Key for agent', retryable: false },
  SERVICE_UNAVAILABLE: {
    status: 500,
    message: 'The service is temporarily unavailable; try again shortly',
    retryable: true,
  },
  INTERNAL: { status: 500, message: 'Internal server error', retryable: true },
};
