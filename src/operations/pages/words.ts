import { type CallState } from '../../domain/call-states.js';
import { guardrailOf } from '../../domain/guardrails/guardrails.js';

/** States as people call them. */
export const STATE_WORDS: Record<CallState, string> = {
  scheduled: 'Scheduled',
  queued: 'Queued',
  dialing: 'Dialing',
  in_progress: 'In progress',
  dial_unknown: 'Unknown',
  completed: 'Completed',
  no_answer: 'No answer',
  busy: 'Busy',
  voicemail: 'Voicemail',
  failed: 'Failed',
  blocked: 'Blocked',
  expired: 'Expired',
  canceled: 'Canceled',
};

export function stateWords(state: string): string {
  return (STATE_WORDS as Record<string, string>)[state] ?? state;
}

/** Reasons of calls that were not made, and of dials that went wrong. */
const REASON_WORDS: Record<string, string> = {
  NO_CALLER_ID: 'No number of the team was left to call from',
  CARRIER_NOT_CONFIGURED: 'The agent’s carrier is not configured',
  NOT_DIALED: 'The worker came too late to dial',
  NO_WORD: 'Nothing was heard from the carrier',
};

export function reasonWords(reason: string): string {
  return guardrailOf(reason)?.label ?? REASON_WORDS[reason] ?? inWords(reason);
}

const CAUSE_WORDS: Record<string, string> = {
  triggered: 'Requested',
  accepted: 'Requested',
  claimed: 'Claimed by a worker, to be dialed once',
  outside_calling_hours: 'Came up outside calling hours, so it waits for the next slot',
  expired: 'Its time ran out before it could be dialed',
  next_slot_too_late: 'Came up outside calling hours, and the next slot is too late for it',
  blocked: 'Refused when it was about to be dialed',
  canceled: 'Canceled by the team',
  do_not_call: 'The number was put on the Do Not Call list',
  not_dialed: 'Not dialed',
  carrier_accepted: 'The carrier took the call',
  carrier_refused: 'The carrier refused; nobody was reached',
  carrier_throttled: 'The carrier takes no more calls just now and dialed nobody; tried again later',
  carrier_unreachable: 'The carrier could not be reached, so nobody was dialed; tried again later',
  carrier_silent: 'The carrier did not say whether it dialed',
  carrier_report: 'Reported by the carrier',
  carrier_listing: 'Found in the carrier’s list of calls',
  no_word: 'Nothing was heard for longer than a call can last',
  resolved_by_operator: 'Resolved by staff',
};

export function causeWords(cause: string): string {
  return CAUSE_WORDS[cause] ?? inWords(cause);
}

/** What staff found out about a call, on the buttons that say so. */
export const RESOLUTION_WORDS: Record<string, string> = {
  completed: 'It was answered',
  no_answer: 'Nobody answered',
  busy: 'It was busy',
  voicemail: 'It reached a voicemail',
  failed: 'It never rang',
};

export function ruleTitle(reason: string): string {
  return guardrailOf(reason)?.title ?? inWords(reason);
}

/** `carrier_gave_up` → `Carrier gave up`. */
function inWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
