import { randomUUID } from 'node:crypto';
import { type CarrierEventStatus } from '../carrier.js';
import { SIMULATOR_OUTCOMES, type SimulatorOutcome } from './rules.js';

/** How a simulated call goes. All of it is decided when the call is dialed. Times are in ms. */
export interface PlayedCall {
  outcome: SimulatorOutcome;
  /** Unix time of the dial. */
  dialedAt: number;
  /** From the dial to its acceptance. */
  acceptMs: number;
  /** From the acceptance to the answer, or to the end of an unanswered call. */
  ringMs: number;
  /** From the answer to the end. */
  talkMs: number;
}

/** The state of a call at an instant; times are Unix times in ms. */
export interface PlayedState {
  status: CarrierEventStatus;
  at: number;
  answeredAt: number | null;
}

const CARRIER_CALL_ID = /^sim-[0-9a-f-]{36}\.([a-z_]+)\.([0-9a-z]+)\.(\d+)\.(\d+)\.(\d+)$/;

/**
 * An id of a call that tells how the call goes. Outdial stores the id. After the simulator's process was
 * killed, another process therefore knows how the call ended, as a real carrier would.
 */
export function carrierCallIdOf({ outcome, dialedAt, acceptMs, ringMs, talkMs }: PlayedCall): string {
  return [`sim-${randomUUID()}`, outcome, dialedAt.toString(36), acceptMs, ringMs, talkMs].join('.');
}

/** @returns null for an id that {@link carrierCallIdOf} did not make. */
export function playedCallOf(carrierCallId: string): PlayedCall | null {
  const [, outcome = '', dialedAt = '', ...times] = CARRIER_CALL_ID.exec(carrierCallId) ?? [];
  if (!Object.hasOwn(SIMULATOR_OUTCOMES, outcome)) return null;
  const [acceptMs = 0, ringMs = 0, talkMs = 0] = times.map(Number);
  return {
    outcome: outcome as SimulatorOutcome,
    dialedAt: Number.parseInt(dialedAt, 36),
    acceptMs,
    ringMs,
    talkMs,
  };
}

/** The state of an accepted call at `now`, a Unix time in ms. */
export function stateOf(
  { outcome, dialedAt, acceptMs, ringMs, talkMs }: PlayedCall,
  now: number,
): PlayedState {
  const { end } = SIMULATOR_OUTCOMES[outcome];
  const acceptedAt = dialedAt + acceptMs;
  const rungAt = acceptedAt + ringMs;
  if (now < rungAt) return { status: 'in_progress', at: acceptedAt, answeredAt: null };
  if (!isAnswered(end)) return { status: end, at: rungAt, answeredAt: null };
  if (now < rungAt + talkMs) return { status: 'in_progress', at: rungAt, answeredAt: rungAt };
  return { status: end, at: rungAt + talkMs, answeredAt: rungAt };
}

/** Whether a person or a machine answers a call that ends so. */
export function isAnswered(end: CarrierEventStatus): boolean {
  return end === 'completed' || end === 'voicemail';
}
