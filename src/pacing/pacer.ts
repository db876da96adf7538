/**
 * A pacing slot. The dial begins between `earliest` and `latest`, in milliseconds of the worker's monotonic
 * clock.
 */
export interface PacingSlot {
  readonly number: number;
  readonly earliest: number;
  readonly latest: number;
}

/** A pacing slot of a carrier, which was taken for one dial. */
export interface HeldPacingSlot {
  carrier: string;
  pacingSlot: PacingSlot;
}

/** The process is stopping. The job returns to its queue, for another worker. */
export class PacingStoppedError extends Error {
  override name = 'PacingStoppedError';
}

/**
 * Keeps each carrier's calls-per-second limit across all workers. A firing takes a pacing slot before its
 * claim. The call is dialed in that pacing slot, or in a later one if the claim took too long.
 */
export abstract class Pacer {
  /** Whether any carrier of this deployment has a calls-per-second limit. */
  abstract readonly pacesAny: boolean;

  abstract paces(carrier: string): boolean;

  /**
   * How many dials of triggered calls, and how many of campaigns' calls, one worker makes at a time through a
   * paced carrier. These are as many as keep the carrier busy, and at most `WORKER_CONCURRENCY`.
   */
  abstract dialsAtATime(carrier: string): number;

  /**
   * Takes a pacing slot, which is about half a second ahead at most.
   *
   * @throws PacingStoppedError once {@link stop} was called.
   */
  abstract take(carrier: string): Promise<PacingSlot>;

  /**
   * Waits until shortly before the pacing slot. The wait ends early by the estimated duration of a claim, so
   * the claim is usually committed in time.
   */
  abstract approach(carrier: string, pacingSlot: PacingSlot): Promise<void>;

  /**
   * Waits for the instant of the dial. This is the instant of the pacing slot, or a later instant if the
   * claim took too long.
   *
   * @param deadline the instant, by `performance.now()`, after which no dial may begin.
   * @returns the pacing slot in which the dial may begin now; null if there is none before the deadline.
   */
  abstract arrive(carrier: string, pacingSlot: PacingSlot, deadline: number): Promise<PacingSlot | null>;

  /** Must be called as soon as the dial has begun in its pacing slot. */
  abstract dialed(carrier: string, pacingSlot: PacingSlot): Promise<void>;

  /**
   * Gives up the pacing slot of a call that was not dialed. Another call of this process can then use the
   * slot.
   */
  abstract release(carrier: string, pacingSlot: PacingSlot): void;

  /** From now on only claimed calls get a pacing slot. */
  abstract stop(): void;
}
