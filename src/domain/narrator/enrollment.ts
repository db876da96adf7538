import { type END_REASONS, type WAITING_FOR } from '../campaigns/decide/decision.js';
import { type EnrollmentState } from '../enrollment-states.js';
import { type GuardrailReason } from '../guardrails/guardrails.js';
import { ruleTitle } from './labels.js';

type OwnWait = Exclude<(typeof WAITING_FOR)[number], GuardrailReason>;
type EndReason = {
  [Status in keyof typeof END_REASONS]: (typeof END_REASONS)[Status][number];
}[keyof typeof END_REASONS];

/** The labels of what a live enrollment waits for, apart from guardrails. */
const WAITS: Record<OwnWait, string> = {
  after: 'The start of its step',
  retry: 'Its next retry',
  callback: 'A requested callback',
  hours: 'Calling hours',
  caps: 'Caps of the campaign',
  number_busy: 'Another call to the number',
  draft: 'The start of the campaign',
  paused: 'The end of a pause',
  pacing: 'The pacing of the campaign',
  concurrency: 'A concurrency slot',
  caller_id: 'A caller ID',
  zone: 'A known time zone',
  carrier: 'The carrier',
  in_call: 'The end of its call',
  result: 'The result of its call',
  outcome: 'An unknown outcome to be resolved',
  no_steps: 'Steps of its version',
};

const ENDS: Record<EndReason, string> = {
  goal: 'Reached its goal',
  reached: 'Reached',
  no_response: 'No response',
  suppressed: 'On the Do Not Call list or a register, or forbidden by law',
  manual: 'Ended by the operator',
  contact_deleted: 'The contact was erased',
  lifetime: 'Its lifetime was over',
  archived: 'The campaign was archived',
  caps: 'Its attempts were spent',
  undone: 'Its import was undone',
  not_dialable: 'Could not be dialed',
};

/** @param waitingFor as an enrollment shows it. */
export function waitLabel(waitingFor: string): string {
  return Object.hasOwn(WAITS, waitingFor) ? WAITS[waitingFor as OwnWait] : ruleTitle(waitingFor);
}

/** @returns the reason itself if this version has no label for it. */
export function endLabel(endReason: string): string {
  return Object.hasOwn(ENDS, endReason) ? ENDS[endReason as EndReason] : endReason;
}

const STATES: Record<EnrollmentState, string> = {
  active: 'Active',
  paused: 'Paused',
  completed: 'Completed',
  exited: 'Exited',
  failed: 'Failed',
};

/** The label of an enrollment's state; the state itself if this version has no label for it. */
export function enrollmentLabel(status: string): string {
  return Object.hasOwn(STATES, status) ? STATES[status as EnrollmentState] : status;
}
