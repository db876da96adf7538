/**
 * The states of a call request. This table is the only list of states and of the transitions between them.
 * The one way back from `dialing` is to `queued`. It is for a call that the carrier did not dial, because the
 * carrier throttled it or was unreachable.
 */
export const CALL_TRANSITIONS = {
  scheduled: ['scheduled', 'dialing', 'blocked', 'expired', 'canceled'],
  queued: ['scheduled', 'dialing', 'blocked', 'expired', 'canceled'],
  dialing: ['queued', 'in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'failed', 'dial_unknown'],
  in_progress: ['completed', 'no_answer', 'busy', 'voicemail', 'failed', 'dial_unknown'],
  dial_unknown: ['in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'failed'],
  completed: [],
  no_answer: [],
  busy: [],
  voicemail: [],
  failed: [],
  blocked: [],
  expired: [],
  canceled: [],
} as const satisfies Record<string, readonly string[]>;

export type CallState = keyof typeof CALL_TRANSITIONS;

export const CALL_STATES = Object.keys(CALL_TRANSITIONS) as CallState[];

/** The states in which a call request can be created. */
export const INITIAL_STATES = ['scheduled', 'queued', 'blocked'] as const satisfies readonly CallState[];

/**
 * The states of a call that waits to be dialed. Only from these states can a call be claimed, be canceled, or
 * expire.
 */
export const PENDING_STATES = ['scheduled', 'queued'] as const satisfies readonly CallState[];

export function isPending(state: CallState): boolean {
  return (PENDING_STATES as readonly CallState[]).includes(state);
}

export function isFinal(state: CallState): boolean {
  return CALL_TRANSITIONS[state].length === 0;
}

/**
 * The coarse state of a call: -1 `scheduled`, 0 `queued`, 1 under way, 2 ended. Indexes contain the phase and
 * never the status, so a transition within a phase, such as a report of an answer, changes no index. Every
 * statement that changes the status also sets the phase. For other statements, such as a correction by hand,
 * triggers of the database set it.
 */
export function phaseOf(state: CallState): number {
  if (state === 'scheduled') return -1;
  if (isPending(state)) return 0;
  return isFinal(state) ? ENDED_PHASE : ACTIVE_PHASE;
}

export const ACTIVE_PHASE = 1;
export const ENDED_PHASE = 2;

export function canTransition(from: CallState, to: CallState): boolean {
  return (CALL_TRANSITIONS[from] as readonly CallState[]).includes(to);
}

const BEFORE = new Map(CALL_STATES.map((to) => [to, CALL_STATES.filter((from) => canTransition(from, to))]));

/** The states from which `to` can be reached in one transition. */
export function statesBefore(to: CallState): readonly CallState[] {
  return BEFORE.get(to) ?? [];
}

/** One entry of a call's history. `from` is null in the entry of the call's creation. */
export interface HistoryEntry {
  /** ISO 8601, UTC. */
  at: string;
  from: CallState | null;
  to: CallState;
  cause: string;
}
