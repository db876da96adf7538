import { type SimulatorRule } from './rules.js';

/** How the simulator behaves. Every field may be left out. */
export interface SimulatorOptions {
  rules?: readonly SimulatorRule[];
  /** From the dial to its acceptance. */
  acceptMs?: number;
  /** From the acceptance to the answer, or to the end of an unanswered call. */
  ringMs?: number;
  /** From the answer to the end. */
  talkMs?: number;
  /** From the dial to its acceptance for the outcome `late`; to be longer than the client's patience. */
  lateMs?: number;
  /** For the outcome `throttled`: how long to send the simulator nothing, in ms. */
  retryAfterMs?: number;
  /** How far each of these may stray, as a fraction; the straying repeats with the seed. */
  jitter?: number;
  seed?: number;
  /** The file to which every dial is appended; none by default. */
  dialLogPath?: string | null;
  /** How long a client waits for an answer. */
  timeoutMs?: number;
  callsPerSecond?: number | null;
}

/** Together below five seconds even when jitter adds to all three. */
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
