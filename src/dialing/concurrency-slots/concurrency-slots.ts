/** Offers free concurrency slots to the calls that wait for one. `ConcurrencySlotsService` implements it. */
export abstract class ConcurrencySlots {
  /**
   * How long a call may last. A call in `dial_unknown` occupies its concurrency slot for this time from its
   * claim.
   */
  abstract readonly callTimeLimitMs: number;

  /**
   * Offers the team's free concurrency slots to its waiting calls, in the order of their due times, and wakes
   * these calls. Never throws: the sweeper offers the slots that could not be offered.
   *
   * @returns how many calls it woke.
   */
  abstract offer(teamId: string): Promise<number>;
}
