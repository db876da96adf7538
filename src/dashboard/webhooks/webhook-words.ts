import { type WebhookDeliveryView } from '../../events/webhooks/webhook-deliveries.service.js';
import { type WebhookEndpointView } from '../../events/webhooks/webhook-endpoint.dto.js';
import { type Mood } from '../frame/controls.js';

export const DELIVERY_WORDS: Record<WebhookDeliveryView['status'], { label: string; mood: Mood }> = {
  pending: { label: 'Waiting', mood: '' },
  delivered: { label: 'Delivered', mood: 'good' },
  failed: { label: 'Failed', mood: 'bad' },
};

/** Why an endpoint is disabled. */
const DISABLED_WORDS: Record<NonNullable<WebhookEndpointView['disabledReason']>, string> = {
  team: 'disabled by the team',
  gone: 'disabled, because it answered 410',
  failing: 'disabled, because every attempt of five days failed',
};

/** Such as `disabled, because it answered 410`. */
export function endpointState({ disabledReason, failingSince }: WebhookEndpointView): {
  label: string;
  mood: Mood;
} {
  if (disabledReason !== null)
    return { label: DISABLED_WORDS[disabledReason], mood: disabledReason === 'team' ? '' : 'bad' };
  return failingSince === null ? { label: 'enabled', mood: 'good' } : { label: 'failing', mood: 'warn' };
}

/** Which events an endpoint gets. */
export function typesText({ types }: WebhookEndpointView): string {
  return types === null ? 'all events' : types.join(', ');
}

/** Why an attempt had no answer, as a sentence. */
const ERROR_WORDS: Record<string, string> = {
  timeout: 'No answer came within 15 seconds. Answer first, and process afterwards.',
  unreachable: 'The host could not be reached. Check its name, port and firewalls.',
  tls: 'The certificate is invalid, or for another name.',
  reset: 'The connection was closed before the answer.',
  broken_answer: 'The answer was no valid HTTP.',
  address_not_allowed: 'The host is in a private network, which this deployment does not call.',
  removed: 'The event was no longer kept when it was due, so it was not sent.',
  stopped: 'The worker stopped during the attempt, which is repeated.',
  internal: 'A fault of Outdial ended the attempt, which is repeated.',
};

export const errorText = (error: string): string => ERROR_WORDS[error] ?? `The attempt failed: ${error}.`;

/** What an answer with this status means for the delivery; null: nothing that has to be said. */
export function statusHint(status: number): string | null {
  if (status === 301 || status === 302 || status === 308)
    return 'Redirects are not followed: set the final URL.';
  if (status === 401 || status === 403)
    return 'The receiver refuses the signature: it must verify the bytes of the body, with the current secret and a correct clock.';
  if (status === 410) return 'The answer 410 disables the endpoint.';
  return null;
}
