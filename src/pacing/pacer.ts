/**
 * A pacing slot. The dial begins between `earliest` and `latest`, in milliseconds of the worker's monotonic
 * clock.
 */
export interface Slot {
  readonly number: number;
  readonly earliest: number;
  readonly latest: number;
}

/** A pacing slot with a carrier, for one dial. */
export interface PacingSlot {
  carrier: string;
  slot: Slot;
}

/** The process is stopping. The wake-up stays in the queue for another worker. */
export class PacingStoppedError extends Error {
  override name = 'PacingStoppedError';
}

/**
 * Keeps each carrier's calls-per-second limit across all workers. A firing takes a pacing slot before its
 * claim, and the call is dialed in that slot.
 */
export abstract class Pacer {
  abstract paces(carrier: string): boolean;

  /**
   * Takes a slot, and waits until the claim must begin to be committed before the slot.
   *
   * @throws PacingStoppedError once {@link stop} was called.
   */
  abstract approach(carrier: string): Promise<Slot>;

  /**
   * Waits for the instant of the dial: that of the slot, or a later one if the claim took too long.
   *
   * @param deadline by `performance.now()`, after which no dial may begin.
   * @returns the slot in which the dial may begin now; null when there is none in time.
   */
  abstract arrive(carrier: string, slot: Slot, deadline: number): Promise<Slot | null>;

  /** Call it as soon as the dial has begun in its slot. */
  abstract dialed(carrier: string, slot: Slot): Promise<void>;

  /** Makes the slot of a call that was not dialed available to another call of this process. */
  abstract release(carrier: string, slot: Slot): void;

  /** From now on only claimed calls get a slot. */
  abstract stop(): void;
}
