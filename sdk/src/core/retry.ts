import { ApiError, ConnectionError } from '../errors.js';

/** A longer `Retry-After` is for the caller to wait. */
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_BACKOFF_MS = 8_000;

/** What is known of a request when an attempt has failed. */
export interface Attempts {
  /** How many attempts failed before this one. */
  before: number;
  /** Whether a second execution of the request does no harm. */
  isRepeatable: boolean;
  /** Whether the API may be working on an attempt whose answer never came. */
  isAnswerOpen: boolean;
  backoffMs: number;
}

/**
 * How long to wait before the next attempt; null if the error is final. Only what may pass by itself is
 * repeated.
 *
 * @param random from 0 to 1: clients that failed together do not come back together.
 */
export function pauseAfter(error: unknown, attempts: Attempts, random = Math.random()): number | null {
  if (!mayPass(error, attempts)) return null;
  const backoff = Math.min(attempts.backoffMs * 2 ** attempts.before, MAX_BACKOFF_MS);
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return asked > MAX_RETRY_AFTER_MS ? null : asked + backoff * (0.5 + random / 2);
}

function mayPass(error: unknown, { isRepeatable, isAnswerOpen }: Attempts): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError)) return false;
  switch (error.status) {
    case 429:
      // The request was not looked at. Other reasons are limits that only time or the operator lifts.
      return error.code === 'RATE_LIMITED';
    case 503:
      return isRepeatable;
    case 500:
      return isRepeatable && error.code === 'SERVICE_UNAVAILABLE';
    case 409:
      return isAnswerOpen && isInFlight(error);
    default:
      return false;
  }
}

/**
 * Whether it says that the first request with the key has no answer yet. Only `calls.create` has a code for
 * it.
 */
function isInFlight({ code, enrollmentId, contactId, externalIdContactId }: ApiError): boolean {
  const isOfRow = [enrollmentId, contactId, externalIdContactId].some((id) => id !== undefined);
  return code === 'IDEMPOTENCY_KEY_IN_FLIGHT' || (code === 'CONFLICT' && !isOfRow);
}

/** @throws the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort);
  });
}
