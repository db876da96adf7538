export interface TakenSlot {
  number: number;
  ms: number;
}

/** How late a dial may be in its slot; slots are as much wider, so each millisecond costs a thousandth. */
export const TOLERANCE_MS = 6;

/** What of it is left to the time between the last look at the clock and the dial itself. */
export const MARGIN_MS = 2;

/** Where slots come from, for one carrier. */
export interface SlotSource {
  /**
   * @returns slots by their numbers and the milliseconds until each; or none, and the milliseconds after which asking
   *   again is of use.
   */
  take(intervalMs: number, wanted: number): Promise<TakenSlot[] | { againMs: number }>;
  /** Whether a slot that has passed may be dialed from now until `withinMs` later. */
  dialLate(slot: number, withinMs: number): Promise<boolean>;
}

/** Monotonic, in milliseconds. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const PROCESS_CLOCK: Clock = {
  now: () => performance.now(),
  // A timer may ring early by less than a millisecond.
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms))),
};
