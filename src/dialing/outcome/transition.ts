import { type CallCause } from '../../domain/call-causes.js';
import { type CallState, isFinal, statesBefore } from '../../domain/call-states.js';
import { type Report } from './transitions.sql.js';

const MAX_SECONDS = 2_147_483_647;
const LATEST_MS = Date.UTC(9999, 11, 31); // The last day with four digits in its year.

/** A transition of a claimed call. */
export interface Transition {
  to: CallState;
  cause: CallCause;
  reason?: string | null;
  carrierCallId?: string | null;
  /**
   * The reporting carrier. Its reports apply only to its own calls. If the report and the call both have the
   * carrier's id of the call, the ids must be equal.
   */
  carrier?: string;
  /** When the transition happened, and when the call was answered, by the carrier's clock. */
  at?: Date;
  answeredAt?: Date;
  durationSeconds?: number;
  /** The states that the call may come from; by default, all states that the table of transitions allows. */
  from?: CallState[];
  /**
   * The carrier's id that the call must have. A report about another dial of the call request changes
   * nothing.
   */
  onlyOf?: string;
  /** The reason that the call must have. */
  ofReason?: string;
}

/** @param notes see {@link Report}. */
export function reportOf(id: string, { to, cause, ...said }: Transition, notes: boolean): Report {
  const seconds = secondsOf(said.durationSeconds);
  return {
    id: id.toLowerCase(),
    to,
    final: isFinal(to),
    from_states: said.from ?? statesBefore(to),
    cause,
    reason: said.reason ?? null,
    carrier: said.carrier ?? null,
    carrier_call_id: said.carrierCallId ?? null,
    at: instantOf(said.at),
    answered_at: instantOf(said.answeredAt),
    seconds,
    only_of: said.onlyOf ?? null,
    of_reason: said.ofReason ?? null,
    // If the report changes the state, the transition stores these details, and nothing is left to note.
    notes: notes && (said.answeredAt !== undefined || seconds !== null),
  };
}

/**
 * Limits an instant to years of four digits, which Postgres can read. A carrier's clock may be wrong, so the
 * statement also bounds the instant by the call's claim and now.
 */
function instantOf(instant: Date | undefined): Date | null {
  if (instant === undefined) return null;
  return new Date(Math.min(Math.max(0, instant.getTime()), LATEST_MS));
}

/** A carrier may send any numeric value; the column is an integer. */
function secondsOf(durationSeconds: number | undefined): number | null {
  if (durationSeconds === undefined || !Number.isFinite(durationSeconds)) return null;
  return Math.min(Math.max(0, Math.round(durationSeconds)), MAX_SECONDS);
}
