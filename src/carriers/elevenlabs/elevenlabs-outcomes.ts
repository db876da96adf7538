import { type EndMeaning } from '../mapped-event.js';
import { isScreening } from '../screening.js';
import { isNetworkBlock } from '../sip-603-plus.js';

const NO_ANSWER = { status: 'no_answer' } as const;
const BUSY = { status: 'busy' } as const;
const FAILED = { status: 'failed' } as const;
const DECLINED = { status: 'failed', reason: 'declined' } as const;
const BLOCKED = { status: 'failed', reason: 'network_blocked' } as const;

/**
 * ElevenLabs' words for a call that was not answered: the `failure_reason` of a report, and Twilio's statuses, which
 * a report of a call by Twilio has.
 */
const REASONS = {
  busy: BUSY,
  'no-answer': NO_ANSWER,
  'no answer': NO_ANSWER,
  no_answer: NO_ANSWER,
  unknown: FAILED,
  canceled: FAILED,
  cancelled: FAILED,
  failed: FAILED,
  error: FAILED,
  declined: DECLINED,
  rejected: DECLINED,
} as const satisfies Record<string, EndMeaning>;

/** Longer texts, as a failed conversation has them, by their beginnings. */
const PREFIXES: readonly (readonly [string, EndMeaning])[] = [
  ['busy', BUSY],
  ['line busy', BUSY],
  ['user busy', BUSY],
  ['no answer', NO_ANSWER],
  ['no-answer', NO_ANSWER],
  ['not answered', NO_ANSWER],
  ['call not answered', NO_ANSWER],
  ['declined', DECLINED],
  ['rejected', DECLINED],
  ['failed', FAILED],
  ['error', FAILED],
  ['twilio', FAILED],
  ['sip', FAILED],
  ['timeout', FAILED],
];

/** SIP statuses that end a call before it is answered. Any other means `failed`. */
const SIP_STATUSES: Readonly<Record<number, EndMeaning>> = {
  408: NO_ANSWER,
  480: NO_ANSWER,
  486: BUSY,
  487: NO_ANSWER,
  600: BUSY,
  603: DECLINED,
  607: DECLINED,
  608: BLOCKED,
};

/**
 * The meaning of a word for the end of a call that was not answered; null: this version does not know it. A
 * screening bot is a machine that answered, and no person.
 */
export function elevenLabsMeaning(word: string): EndMeaning | null {
  const lower = word.trim().toLowerCase();
  if (Object.hasOwn(REASONS, lower)) return REASONS[lower as keyof typeof REASONS];
  if (isScreening(lower)) return { status: 'voicemail' };
  return PREFIXES.find(([prefix]) => lower.startsWith(prefix))?.[1] ?? null;
}

/** The meaning of a SIP status that tells more than ElevenLabs' word; null for every other status. */
export function sipMeaningOf(status: number | null, text: string): EndMeaning | null {
  if (status === null) return null;
  if (status === 603 && isNetworkBlock(text)) return BLOCKED;
  return SIP_STATUSES[status] ?? null;
}
