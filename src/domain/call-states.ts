/**
 * The life of a call request. This table is the only list of states and of the moves between them. The one way back
 * from `dialing`, to `queued`, is for a dial that was certainly not made: the carrier said so, or could not be reached.
 */
export const CALL_MOVES = {
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

export type CallState = keyof typeof CALL_MOVES;

export const CALL_STATES = Object.keys(CALL_MOVES) as CallState[];

/** The states in which a call request can be born. */
export const BIRTH_STATES = ['scheduled', 'queued', 'blocked'] as const satisfies readonly CallState[];

/** Waiting to be dialed; only these can be claimed, canceled, blocked or expire. */
export const PENDING_STATES = ['scheduled', 'queued'] as const satisfies readonly CallState[];

export function isPending(state: CallState): boolean {
  return (PENDING_STATES as readonly CallState[]).includes(state);
}

export function isFinal(state: CallState): boolean {
  return CALL_MOVES[state].length === 0;
}

export function canMove(from: CallState, to: CallState): boolean {
  return (CALL_MOVES[from] as readonly CallState[]).includes(to);
}

const BEFORE = new Map(CALL_STATES.map((to) => [to, CALL_STATES.filter((from) => canMove(from, to))]));

/** The states from which `to` can be reached in one move. */
export function statesBefore(to: CallState): readonly CallState[] {
  return BEFORE.get(to) ?? [];
}

/** One line of a call's history. `from` is null at birth. */
export interface HistoryEntry {
  /** ISO 8601, UTC. */
  at: string;
  from: CallState | null;
  to: CallState;
  cause: string;
}
