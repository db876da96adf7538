/**
 * A pacing slot. The dial begins between `earliest` and `latest`, in milliseconds of the worker's monotonic
 * clock.
 */
export interface PacingSlot {
  readonly number: number;
  readonly earliest: number;
  readonly latest: number;
}

/** A pacing slot that was taken with a carrier, for one dial. */
export interface HeldPacingSlot {
  carrier: string;
  pacingSlot: PacingSlot;
}

/** The process is stopping. The wake-up stays in the queue for another worker. */
export class PacingStoppedError extends Error {
  override name = 'PacingStoppedError';
}

/**
 * Keeps each carrier's calls-per-second limit across all workers. A firing takes a pacing slot before its
 * claim, and the call is dialed in that pacing slot.
 */
export abstract class Pacer {
  abstract paces(carrier: string): boolean;

  /**
   * Takes a pacing slot. Waits until the latest time at which the claim must begin, so that it is committed
   * before the pacing slot.
   *
   * @throws PacingStoppedError once {@link stop} was called.
   */
  abstract approach(carrier: string): Promise<PacingSlot>;

  /**
   * Waits for the instant of the dial: that of the pacing slot, or a later one if the claim took too long.
   *
   * @param deadline by `performance.now()`, after which no dial may begin.
   * @returns the pacing slot in which the dial may begin now; null when there is none in time.
   */
  abstract arrive(carrier: string, pacingSlot: PacingSlot, deadline: number): Promise<PacingSlot | null>;

  /** Call it as soon as the dial has begun in its pacing slot. */
  abstract dialed(carrier: string, pacingSlot: PacingSlot): Promise<void>;

  /** Makes the pacing slot of a call that was not dialed available to another call of this process. */
  abstract release(carrier: string, pacingSlot: PacingSlot): void;

  /** From now on only claimed calls get a pacing slot. */
  abstract stop(): void;
}
