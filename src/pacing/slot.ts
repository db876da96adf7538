export interface TakenPacingSlot {
  number: number;
  /** Milliseconds until the pacing slot. */
  ms: number;
}

/**
 * How late a dial may begin in its pacing slot. The pacing slots of a lane are a second plus this tolerance
 * apart, so each millisecond of tolerance costs about a thousandth of the rate.
 */
export const TOLERANCE_MS = 6;

/**
 * The part of the tolerance that is reserved for the time between the last reading of the clock and the dial.
 */
export const MARGIN_MS = 2;

/** The source of one carrier's pacing slots. */
export interface PacingSlotSource {
  /** @returns pacing slots; or, if there are none, the milliseconds to wait before the next request. */
  take(intervalMs: number, wanted: number): Promise<TakenPacingSlot[] | { againMs: number }>;
  /** Whether a call may be dialed from now until `withinMs` later, in a pacing slot that has passed. */
  dialLate(pacingSlot: number, withinMs: number): Promise<boolean>;
}

/** Monotonic, in milliseconds. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const PROCESS_CLOCK: Clock = {
  now: () => performance.now(),
  // A timer may fire early by less than a millisecond.
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms))),
};
