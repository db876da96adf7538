import { type EndMeaning } from '../mapped-event.js';
import { isScreening } from '../screening.js';

const COMPLETED = { status: 'completed' } as const;
const FAILED = { status: 'failed' } as const;

/**
 * The reasons for which a call ends at Vapi and which have a meaning of their own. `failed` with the reason itself:
 * the platform, the money or the number is at fault.
 * https://docs.vapi.ai/calls/call-ended-reason
 */
const REASONS = {
  'assistant-ended-call': COMPLETED,
  'assistant-ended-call-after-message-spoken': COMPLETED,
  'assistant-ended-call-with-hangup-task': COMPLETED,
  'assistant-forwarded-call': COMPLETED,
  'assistant-said-end-call-phrase': COMPLETED,
  'customer-ended-call': COMPLETED,
  'customer-ended-call-after-warm-transfer-attempt': COMPLETED,
  'customer-ended-call-before-warm-transfer': COMPLETED,
  'customer-ended-call-during-transfer': COMPLETED,
  'exceeded-max-duration': COMPLETED,
  'manually-canceled': COMPLETED,
  'silence-timed-out': COMPLETED,
  'vonage-completed': COMPLETED,
  'call.in-progress.sip-completed-call': COMPLETED,
  'call.in-progress.twilio-completed-call': COMPLETED,
  'call.ending.hook-executed-say': COMPLETED,
  'call.ending.hook-executed-transfer': COMPLETED,
  // The call reached the person. Its transfer failed.
  'call.forwarding.no-answer': COMPLETED,
  'call.forwarding.operator-busy': COMPLETED,
  'call.in-progress.error-transfer-failed': COMPLETED,
  'call.in-progress.error-warm-transfer-assistant-cancelled': COMPLETED,
  'call.in-progress.error-warm-transfer-max-duration': COMPLETED,
  'call.in-progress.error-warm-transfer-microphone-timeout': COMPLETED,
  'call.in-progress.error-warm-transfer-silence-timeout': COMPLETED,
  voicemail: { status: 'voicemail' },
  'customer-busy': { status: 'busy' },
  'customer-did-not-answer': { status: 'no_answer' },
  // As every SIP status 408 and 480, after which the telephone may have rung.
  'call.in-progress.error-providerfault-outbound-sip-408-request-timeout': { status: 'no_answer' },
  'call.in-progress.error-providerfault-outbound-sip-480-temporarily-unavailable': { status: 'no_answer' },
  'assistant-join-timed-out': FAILED,
  'assistant-not-found': FAILED,
  'assistant-not-valid': FAILED,
  'call-deleted': FAILED,
  'customer-did-not-give-microphone-permission': FAILED,
  'phone-call-provider-bypass-enabled-but-no-call-received': FAILED,
  'phone-call-provider-closed-websocket': FAILED,
  'scheduled-call-deleted': FAILED,
  'twilio-failed-to-connect-call': FAILED,
  'twilio-reported-customer-misdialed': FAILED,
  'vonage-disconnected': FAILED,
  'vonage-failed-to-connect-call': FAILED,
  'vonage-rejected': FAILED,
  'worker-shutdown': FAILED,
} as const satisfies Record<string, EndMeaning>;

/** The other reasons, by their beginnings, which name the part that is at fault. The first that fits counts. */
const PREFIXES: readonly (readonly [string, EndMeaning])[] = [
  ['assistant-request-', FAILED],
  ['call-start-error-', FAILED],
  ['call.start.', FAILED],
  ['call.ringing.', FAILED],
  ['call.in-progress.error-', FAILED],
  ['pipeline-error-', FAILED],
  ['twilio-', FAILED],
  ['vonage-', FAILED],
  ['telnyx-', FAILED],
  ['customer-ended-call', COMPLETED],
  ['customer-did-not-answer', { status: 'no_answer' }],
  ['customer-busy', { status: 'busy' }],
  ['assistant-ended-call', COMPLETED],
  ['voicemail', { status: 'voicemail' }],
];

/**
 * The meaning of a reason; null: this version does not know it. A screening bot is a machine that answered, and no
 * person.
 */
export function vapiMeaning(reason: string): EndMeaning | null {
  if (Object.hasOwn(REASONS, reason)) return REASONS[reason as keyof typeof REASONS];
  if (isScreening(reason)) return { status: 'voicemail' };
  return PREFIXES.find(([prefix]) => reason.startsWith(prefix))?.[1] ?? null;
}
