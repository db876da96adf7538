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
   * The reporting carrier. Its reports apply to its own calls only, by its id of the call if that is known.
   */
  carrier?: string;
  /** When it happened and was answered, by the carrier's clock. */
  at?: Date;
  answeredAt?: Date;
  durationSeconds?: number;
  /** The states it may come from; by default all that the table of transitions allows. */
  from?: CallState[];
  /** Only if the carrier gave the call this id, and not an earlier or later dial of the call request. */
  onlyOf?: string;
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
    // After a transition there is nothing left for it to note.
    notes: notes && (said.answeredAt !== undefined || seconds !== null),
  };
}

/**
 * A carrier's clock may be wrong. Postgres reads years of four digits, and the statement bounds the instant
 * by the call's own times.
 */
function instantOf(instant: Date | undefined): Date | null {
  if (instant === undefined) return null;
  return new Date(Math.min(Math.max(0, instant.getTime()), LATEST_MS));
}

/** A carrier may send any number; the column is an integer. */
function secondsOf(durationSeconds: number | undefined): number | null {
  if (durationSeconds === undefined || !Number.isFinite(durationSeconds)) return null;
  return Math.min(Math.max(0, Math.round(durationSeconds)), MAX_SECONDS);
}
