/** One dial of a carrier, to begin between two instants by the worker's monotonic clock. */
export interface Slot {
  readonly number: number;
  readonly earliest: number;
  readonly latest: number;
}

/** The process ends; the wake-up is left to others. */
export class PacingStoppedError extends Error {
  override name = 'PacingStoppedError';
}

/**
 * Keeps each carrier's calls a second, in all workers together: a firing asks for a pacing slot before its claim, and
 * the call is dialed in it.
 */
export abstract class Pacer {
  abstract paces(carrier: string): boolean;

  /**
   * Waits for a slot with the carrier and until it is time to begin with what has to be done before the dial.
   *
   * @throws PacingStoppedError once {@link stop} was called.
   */
  abstract approach(carrier: string): Promise<Slot>;

  /**
   * Waits for the very instant of the dial: the slot's, or where the claim took too long a later one.
   *
   * @param deadline by `performance.now()`, after which no dial may begin.
   * @returns the slot in which the dial may begin now; null when there is none in time.
   */
  abstract arrive(carrier: string, slot: Slot, deadline: number): Promise<Slot | null>;

  /** To be told as soon as the dial has begun in its slot. */
  abstract dialed(carrier: string, slot: Slot): Promise<void>;

  /** Leaves the slot of a call that was not dialed to another call of this process. */
  abstract release(carrier: string, slot: Slot): void;

  /** From now on only calls that are claimed get a slot. */
  abstract stop(): void;
}
