/** What decides whether a team may have one more active call. */
export interface SlotFacts {
  /** The team's `maxConcurrentCalls`; null: no limit. */
  limit: number | null;
  /** Calls that occupy a slot: claimed, and not known to have ended. */
  active: number;
  /** Waiting calls of the team that are older than this one; counted no further than to `limit`. */
  olderWaiting: number;
}

/**
 * Whether a concurrency slot is free for the call. The free slots belong to the calls that have waited longest, so that a new call takes
 * none of theirs. Pure.
 */
export function hasFreeSlot({ limit, active, olderWaiting }: SlotFacts): boolean {
  return limit === null || active + olderWaiting < limit;
}
