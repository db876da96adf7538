import { type HeldPacingSlot } from '../../pacing/pacer.js';
import { type DialJob } from '../../queue/wake-ups.js';
import { type CallState } from '../../domain/call-states.js';
import { type ClaimedCall } from '../../dialing/dial.service.js';

/** A wake-up to act on. */
export interface FireCommand {
  job: DialJob;
  /** The call's team; the empty string until the team is known. */
  teamId: string;
  /** The pacing slot, if the carrier is paced. */
  heldPacingSlot: HeldPacingSlot | undefined;
  /** The carrier host whose open circuit the claim probes, if there is one. */
  probe?: string;
}

/** The result of a wake-up; `early` and `put_off` require another wake-up in `delayMs`. */
export type FireResult =
  | { kind: 'ignored'; why: 'not_found' | 'not_pending' | 'old_generation' | 'paused' | 'lost_claim' }
  | { kind: 'early'; delayMs: number }
  /**
   * The carrier cannot be reached, or the time zone is not known. The call needs another wake-up in `delayMs`.
   */
  | { kind: 'put_off'; delayMs: number }
  /** The agent now names another carrier, whose pacing slot the call needs. */
  | { kind: 'other_carrier'; carrier: string }
  | { kind: 'expired' | 'blocked' | 'rescheduled' | 'waiting' | 'claimed' };

/** The result of a wake-up, and what follows after the commit. */
export interface FireOutcome {
  result: FireResult;
  /** Why the call was blocked or waits. */
  reason?: string;
  wake?: { job: DialJob; delayMs: number };
  /**
   * The claimed call, the state that it was claimed from, and how many seconds after its due time it was
   * claimed.
   */
  claim?: { call: ClaimedCall; from: CallState; lateSeconds: number };
  /** The team whose waiting calls may get a concurrency slot, because this call no longer waits for one. */
  freedConcurrencySlotOf?: string;
}
