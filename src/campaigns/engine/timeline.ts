import { type CallState } from '../../domain/call-states.js';
import { type RefusalOutcome } from '../../domain/refused-by.js';

/** One entry of an enrollment's timeline; `at` and `until` are ISO 8601 in UTC. */
export type TimelineEntry = { at: string } & (
  | { kind: 'step'; step: string }
  /** The enrollment was moved to another version. */
  | { kind: 'version'; versionId: string }
  | { kind: 'dial'; seq: number; callRequestId: string; step: string; callback: boolean }
  /** The outcome of a call, also after the enrollment has ended. `reason`: who refused a failed call. */
  | { kind: 'call'; callRequestId: string; status: CallState; reason?: RefusalOutcome }
  /**
   * The result of a call, also after the enrollment has ended. The other fields of the result are stored with
   * the call.
   */
  | { kind: 'result'; callRequestId: string; goal: boolean; callbackAt: string | null; optOut: boolean }
  | { kind: 'deferred' | 'held'; waitingFor: string; until: string | null }
  | { kind: 'paused' | 'resumed' }
  | { kind: 'ended'; status: string; endReason: string }
);
