/**
 * Offers concurrency slots that become free to the calls that wait for one. `ConcurrencySlotsService`
 * implements it.
 */
export abstract class ConcurrencySlots {
  /** How long a call may last, and so how long one in `dial_unknown` occupies its concurrency slot. */
  abstract readonly callTimeLimitMs: number;

  /**
   * Wakes as many of the team's waiting calls as there are free concurrency slots, the oldest first. Never
   * throws: those that could not be offered are offered by the sweeper.
   *
   * @returns how many calls it woke.
   */
  abstract offer(teamId: string): Promise<number>;
}
