import { type EndMeaning } from '../mapped-event.js';
import { isScreening } from '../screening.js';

/**
 * Every reason for which a call ends at Retell, with its meaning. `failed` with the reason itself: the platform,
 * the money or the number is at fault.
 * https://docs.retellai.com/reliability/debug-call-disconnect
 */
export const RETELL_REASONS = {
  user_hangup: { status: 'completed' },
  agent_hangup: { status: 'completed' },
  call_transfer: { status: 'completed' },
  transfer_bridged: { status: 'completed' },
  transfer_cancelled: { status: 'completed' },
  inactivity: { status: 'completed' },
  max_duration_reached: { status: 'completed' },
  voicemail_reached: { status: 'voicemail' },
  // A machine with a menu answered, and no person.
  ivr_reached: { status: 'voicemail' },
  dial_busy: { status: 'busy' },
  dial_no_answer: { status: 'no_answer' },
  dial_failed: { status: 'failed' },
  invalid_destination: { status: 'failed' },
  telephony_provider_permission_denied: { status: 'failed' },
  telephony_provider_unavailable: { status: 'failed' },
  sip_routing_error: { status: 'failed' },
  marked_as_spam: { status: 'failed', reason: 'network_blocked' },
  user_declined: { status: 'failed', reason: 'declined' },
  concurrency_limit_reached: { status: 'failed' },
  no_valid_payment: { status: 'failed' },
  scam_detected: { status: 'failed' },
  error_llm_websocket_open: { status: 'failed' },
  error_llm_websocket_lost_connection: { status: 'failed' },
  error_llm_websocket_runtime: { status: 'failed' },
  error_llm_websocket_corrupt_payload: { status: 'failed' },
  error_no_audio_received: { status: 'failed' },
  error_asr: { status: 'failed' },
  error_retell: { status: 'failed' },
  error_unknown: { status: 'failed' },
  error_user_not_joined: { status: 'failed' },
  registered_call_timeout: { status: 'failed' },
} as const satisfies Record<string, EndMeaning>;

/** Reasons that a later version of Retell adds, by their beginnings. */
const PREFIXES: readonly (readonly [string, EndMeaning])[] = [
  ['error_', { status: 'failed' }],
  ['dial_', { status: 'failed' }],
  ['telephony_', { status: 'failed' }],
  ['sip_', { status: 'failed' }],
  ['transfer_', { status: 'completed' }],
  ['voicemail_', { status: 'voicemail' }],
];

/**
 * The meaning of a reason; null: this version does not know it. A screening bot is a machine that answered, and no
 * person.
 */
export function retellMeaning(reason: string): EndMeaning | null {
  if (Object.hasOwn(RETELL_REASONS, reason)) return RETELL_REASONS[reason as keyof typeof RETELL_REASONS];
  if (isScreening(reason)) return { status: 'voicemail' };
  return PREFIXES.find(([prefix]) => reason.startsWith(prefix))?.[1] ?? null;
}
