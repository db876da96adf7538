import { type SimulatorRule } from './rules.js';

/** The simulator's behaviour. Every field is optional; times are in ms. */
export interface SimulatorOptions {
  rules?: readonly SimulatorRule[];
  /** The time from the dial to its acceptance. */
  acceptMs?: number;
  /** The time from the acceptance to the answer, or to the end of an unanswered call. */
  ringMs?: number;
  /** The time from the answer to the end. */
  talkMs?: number;
  /** The time from the dial to its acceptance for the outcome `late`; longer than the client's timeout. */
  lateMs?: number;
  /** For the outcome `throttled`: the pause before the next request. */
  retryAfterMs?: number;
  /** The largest random deviation of each time, as a fraction; the same seed gives the same deviations. */
  jitter?: number;
  seed?: number;
  /** The file to which every dial is appended; none by default. */
  dialLogPath?: string | null;
  /** How long a client waits for an answer. */
  timeoutMs?: number;
  callsPerSecond?: number | null;
}

/**
 * Except for the outcome `late`, a call takes less than five seconds in total, even if jitter lengthens every
 * part.
 */
export const SIMULATOR_DEFAULTS = {
  rules: [],
  acceptMs: 200,
  ringMs: 1_000,
  talkMs: 1_500,
  lateMs: 10_000,
  retryAfterMs: 1_000,
  jitter: 0.1,
  seed: 1,
  dialLogPath: null,
  timeoutMs: 5_000,
  callsPerSecond: null,
} as const satisfies Required<SimulatorOptions>;

/** Logged once at start, so that simulated calls are not mistaken for real ones. */
export function simulatorBanner(where: string): string {
  return `*** CARRIER=simulator (${where}): calls are simulated, NO TELEPHONE WILL RING ***`;
}
