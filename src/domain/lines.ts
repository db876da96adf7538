/** What decides whether a team may have one more call under way. */
export interface LineFacts {
  /** The team's `maxConcurrentCalls`; null: no limit. */
  max: number | null;
  /** Calls that may occupy a line: claimed, and not known to have ended. */
  busy: number;
  /** Waiting calls of the team that are older than this one; counted no further than to `max`. */
  olderWaiting: number;
}

/**
 * Whether a line is free for the call. The lines that are free belong to the oldest of those that wait, so that a call
 * that has just come takes none from under them. Pure.
 */
export function hasLine({ max, busy, olderWaiting }: LineFacts): boolean {
  return max === null || busy + olderWaiting < max;
}
