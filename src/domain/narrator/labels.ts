import { type TransitionCause } from '../call-causes.js';
import { type CallState } from '../call-states.js';
import { type RefusalOutcome, refusalOutcomeOf } from '../refused-by.js';
import { GUARDRAIL_REASONS, guardrailOf } from '../guardrails/guardrails.js';

/** The label of each state, and its meaning as a clause without a full stop. */
export const STATES: Record<CallState, { label: string; meaning: string }> = {
  scheduled: { label: 'Scheduled', meaning: 'waits until it is due' },
  queued: { label: 'Queued', meaning: 'is due and waits to be dialed' },
  dialing: { label: 'Dialing', meaning: 'claimed by a worker, which dials it once' },
  in_progress: { label: 'In progress', meaning: 'accepted by the carrier and not ended yet' },
  dial_unknown: { label: 'Unknown', meaning: 'may have been dialed, and is not dialed again' },
  completed: { label: 'Completed', meaning: 'answered and ended' },
  no_answer: { label: 'No answer', meaning: 'dialed and not answered' },
  busy: { label: 'Busy', meaning: 'dialed, and the line was busy' },
  voicemail: { label: 'Voicemail', meaning: 'answered by voicemail' },
  failed: { label: 'Failed', meaning: 'claimed, and the dial or the call failed' },
  blocked: { label: 'Blocked', meaning: 'refused by a guardrail and not dialed' },
  expired: { label: 'Expired', meaning: 'not dialed before it expired' },
  canceled: {
    label: 'Canceled',
    meaning: 'not dialed, because the team or an operator canceled it or its contact was erased',
  },
};

/** @returns the state itself if this version has no label for it. */
export function stateLabel(state: string): string {
  return Object.hasOwn(STATES, state) ? STATES[state as CallState].label : state;
}

/**
 * Reasons other than those of guardrails: calls without a caller ID, and dials that failed or stay unknown.
 */
const REASONS = new Map<string, string>([
  ['NO_CALLER_ID', 'The team has no active, outbound-enabled number to call from'],
  ['declined', 'The called person declined the call'],
  ['network_blocked', 'A network blocked the call, for example as spam'],
  ['CARRIER_NOT_CONFIGURED', 'The agent’s carrier is not configured'],
  [
    'CARRIER_ACCOUNT_NOT_OPENED',
    'The agent’s carrier account was removed, or its credentials cannot be read',
  ],
  ['NOT_DIALED', 'The worker was too late to dial after its claim'],
  ['CARRIER_THROTTLED', 'The carrier took no more calls at the moment and did not dial'],
  ['CARRIER_UNREACHABLE', 'The carrier could not be reached, so the call was not dialed'],
  ['CONTACT_ERASED', 'The contact was erased, so the call was not tried again'],
  ['DATABASE_RESTORED', 'The database was restored, and the call may have been dialed after the backup'],
  ['NO_WORD', 'The carrier reported nothing for longer than a call can last'],
]);

/** A reason as a sentence without a full stop; a carrier's own code as text. */
export function reasonLabel(reason: string): string {
  return guardrailOf(reason)?.label ?? REASONS.get(reason) ?? asText(reason);
}

const REFUSALS: Record<RefusalOutcome, string> = {
  declined: 'Declined',
  network_blocked: 'Blocked by a network',
};

/** An outcome of a campaign's call: a state, or who refused the call. */
export function outcomeLabel(outcome: string): string {
  const refusal = refusalOutcomeOf(outcome);
  if (refusal !== undefined) return REFUSALS[refusal];
  return stateLabel(outcome === 'unknown' ? 'dial_unknown' : outcome);
}

/** The reasons that have labels. A carrier's own codes are not among them. */
export function knownReasons(): string[] {
  return [...GUARDRAIL_REASONS, ...REASONS.keys()];
}

/** A guardrail's name. */
export function ruleTitle(reason: string): string {
  return guardrailOf(reason)?.title ?? asText(reason);
}

/** The causes of transitions in a call's history, as sentences without their full stops. */
export const CAUSES: Record<TransitionCause, string> = {
  triggered: 'Requested',
  campaign: 'Due in its campaign',
  claimed: 'Claimed by a worker, to be dialed once',
  outside_calling_hours: 'Due outside calling hours, so it waits for the next opening',
  zone_data_changed:
    'Moved to the same local time, because newer time zone data changed the clock of its zone',
  expired: 'Expired before it could be dialed',
  next_slot_too_late: 'Due outside calling hours, and the next opening is too late',
  blocked: 'Refused when it was about to be dialed',
  canceled: 'Canceled by the team',
  canceled_by_operator: 'Canceled by an operator',
  contact_erased: 'The contact was erased',
  do_not_call: 'The number was added to the Do Not Call list',
  not_dialed: 'Not dialed',
  carrier_accepted: 'The carrier accepted the call',
  carrier_refused: 'The carrier refused the call and did not dial it',
  carrier_throttled: 'The carrier takes no more calls at the moment and did not dial',
  carrier_unreachable: 'The carrier could not be reached, so the call was not dialed',
  carrier_silent: 'The carrier did not say whether it dialed',
  carrier_report: 'Reported by the carrier',
  carrier_listing: 'Found in the carrier’s list of calls',
  hung_up: 'Hung up on request',
  no_word: 'The carrier reported nothing for longer than a call can last',
  database_restored: 'The database was restored, and the call may have been dialed after the backup',
  resolved_by_operator: 'Resolved by operations staff',
};

/** @returns the cause as text if this version has no label for it. */
export function causeLabel(cause: string): string {
  if (Object.hasOwn(CAUSES, cause)) return CAUSES[cause as TransitionCause];
  const refusal = guardrailOf(cause)?.label ?? REASONS.get(cause);
  return refusal === undefined ? asText(cause) : `${CAUSES.blocked}: ${lowerFirst(refusal)}`;
}

const RESOLUTIONS = new Map([
  ['completed', 'It was answered'],
  ['no_answer', 'It was not answered'],
  ['busy', 'It was busy'],
  ['voicemail', 'It reached a voicemail'],
  ['failed', 'It never rang'],
]);

/** The outcomes that operations staff can record, by state. */
export function resolutionLabel(outcome: string): string {
  return RESOLUTIONS.get(outcome) ?? stateLabel(outcome);
}

/** A list for API descriptions: `` `busy` (dialed, and the line was busy) ``, … */
export function statesText(): string {
  return Object.entries(STATES)
    .map(([state, { meaning }]) => `\`${state}\` (${meaning})`)
    .join(', ');
}

/** A list for API descriptions: `` `claimed` ``, … */
export function causesText(): string {
  return Object.keys(CAUSES)
    .map((cause) => `\`${cause}\``)
    .join(', ');
}

/** For a text that continues a sentence. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** `carrier_gave_up` → `Carrier gave up`. */
function asText(code: string): string {
  const text = code.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
