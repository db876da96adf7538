import { type PlaceCallResult } from '../carrier.js';
import { UNANSWERED } from '../send-once.js';
import { type TwilioAnswer } from './twilio-api.js';

/**
 * Twilio's error codes which mean that no call was placed, with Outdial's reason for each. Other Twilio
 * errors with a status from 400 to 499 are refusals too, except for too many requests. Their reason is
 * `twilio_` and the code, or `carrier_unauthorized` for the status 401.
 * https://www.twilio.com/docs/api/errors
 */
export const TWILIO_REFUSALS: Record<number, string> = {
  10001: 'account_not_active',
  20005: 'account_not_active',
  10002: 'trial_account_limit',
  20003: 'carrier_unauthorized',
  20006: 'carrier_unauthorized',
  20008: 'carrier_unauthorized',
  20403: 'carrier_unauthorized',
  20404: 'carrier_account_not_found',
  // The destination.
  13223: 'to_number_invalid',
  21201: 'to_number_invalid',
  21211: 'to_number_invalid',
  21217: 'to_number_invalid',
  13224: 'to_number_unreachable',
  21214: 'to_number_unreachable',
  21219: 'to_number_not_verified',
  13225: 'destination_not_permitted',
  13226: 'destination_not_permitted',
  13227: 'destination_not_permitted',
  21202: 'destination_not_permitted',
  21203: 'destination_not_permitted',
  21215: 'destination_not_permitted',
  21216: 'destination_not_permitted',
  // The caller ID.
  21210: 'from_number_not_permitted',
  21212: 'from_number_invalid',
  21213: 'from_number_invalid',
  // The agent's settings, or the deployment's address.
  21205: 'carrier_settings_invalid',
  21208: 'carrier_settings_invalid',
  21209: 'carrier_settings_invalid',
  21218: 'carrier_settings_invalid',
  32018: 'carrier_settings_invalid',
};

/** Twilio's codes for too many requests, with any status below 500. */
export const TWILIO_THROTTLES: readonly number[] = [10004, 20429];

/** The result of a dial that Twilio did not accept. */
export function dialFailure(answer: Exclude<TwilioAnswer<unknown>, { kind: 'ok' }>): PlaceCallResult {
  if (answer.kind !== 'error') return { kind: UNANSWERED[answer.kind], reason: answer.reason };
  const { status, code, retryAfterMs } = answer;
  if (status === 429 || (status < 500 && code !== null && TWILIO_THROTTLES.includes(code))) {
    return { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs };
  }
  // Only Twilio's own code counts: a proxy in between may answer 4xx to a request that it has passed on.
  if (status < 400 || status >= 500 || code === null)
    return { kind: 'unknown', reason: `carrier_http_${status}` };
  return {
    kind: 'refused',
    reason: TWILIO_REFUSALS[code] ?? (status === 401 ? 'carrier_unauthorized' : `twilio_${code}`),
  };
}
