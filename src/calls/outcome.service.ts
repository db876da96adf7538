import { Injectable } from '@nestjs/common';
import { type CarrierEvent } from '../carriers/carrier.js';
import { teamOfCall } from '../database/team-scope.js';
import { type Query, query, Transactions } from '../database/transactions.js';
import { type CallState, isFinal, statesBefore } from '../domain/call-states.js';
import { Metrics } from '../telemetry/metrics.js';
import { LinesService } from './lines.service.js';
import { LOCK_TEAM_OF_CALL } from './sql/locks.sql.js';
import { FAIL_UNDIALED, IS_OF_CARRIER, MOVE, type MovedRow, NOTE_ANSWER, THROTTLE } from './sql/moves.sql.js';

/** However long a carrier asks to be left alone: who waits is called about yesterday soon enough. */
const LONGEST_THROTTLE_MS = 3_600_000;
const MAX_SECONDS = 2_147_483_647;

/** When a call that was not dialed is tried again. */
export interface NextTry {
  generation: number;
  delayMs: number;
}

/** A move of a claimed call. */
export interface Move {
  to: CallState;
  cause: string;
  reason?: string | null;
  carrierCallId?: string | null;
  /** When it happened and was answered, by the carrier's clock. */
  at?: Date;
  answeredAt?: Date;
  durationSeconds?: number;
  /** The states it may come from; by default all that the table of moves allows. */
  from?: CallState[];
  /** Only if the carrier gave the call this id, and not an earlier or later dial of the call request. */
  onlyOf?: string;
}

/** Writes down what became of claimed calls. A move that the table of moves does not allow changes nothing. */
@Injectable()
export class OutcomeService {
  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
    private readonly lines: LinesService,
  ) {}

  /** @returns whether the call moved. */
  move(callRequestId: string, move: Move): Promise<boolean> {
    return this.write(callRequestId, move, []);
  }

  /** A carrier's report; reports come twice and in any order. @returns whether the call moved. */
  recordEvent({ callRequestId, status, ...said }: CarrierEvent, cause = 'carrier_report'): Promise<boolean> {
    const { answeredAt, durationSeconds, carrierCallId } = said;
    const seconds = secondsOf(durationSeconds);
    const says = answeredAt !== undefined || seconds !== null;
    // After a move there is nothing left for it to note.
    const note = query(NOTE_ANSWER, callRequestId, answeredAt ?? null, seconds, carrierCallId);
    return this.write(callRequestId, { to: status, cause, ...said }, says ? [note] : []);
  }

  /**
   * The carrier says that a call is over, and nothing of how it went: a report that is still under way may say it, or an
   * operator. @returns whether the call moved.
   */
  recordSilentEnd(callRequestId: string, carrierCallId: string, reason: string): Promise<boolean> {
    const cause = 'carrier_report';
    const from: CallState[] = ['in_progress'];
    return this.move(callRequestId, { to: 'dial_unknown', cause, reason, from, onlyOf: carrierCallId });
  }

  /**
   * A claimed call that its carrier certainly did not dial, and would take later: pending again.
   *
   * @returns its next wake-up; null when the call is not of this claim any more.
   */
  async throttle(callRequestId: string, generation: number, retryAfterMs: number): Promise<NextTry | null> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const least = Math.min(Math.max(0, retryAfterMs), LONGEST_THROTTLE_MS);
    const [row] = await own.autocommit<MovedRow & { generation: number; delay_ms: number }>(
      query(THROTTLE, callRequestId, generation, least),
    );
    if (row === undefined) return null;
    await this.lineFreed(row);
    return { generation: row.generation, delayMs: row.delay_ms };
  }

  /** Whether a call was given to this carrier, and so whether what that says of it counts. */
  async isOfCarrier(callRequestId: string, carrier: string): Promise<boolean> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const rows = await own.read(query(IS_OF_CARRIER, callRequestId, carrier));
    return rows.length === 1;
  }

  /** A claimed call that certainly reached nobody; under the team's lock, because it uncounts. */
  async failUndialed(callRequestId: string, cause: string, reason: string): Promise<boolean> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const failed = await own.run<MovedRow | undefined>([query(LOCK_TEAM_OF_CALL, callRequestId)], () => ({
      commit: [query(FAIL_UNDIALED, callRequestId, ['dialing', 'dial_unknown'], cause, reason)],
      value: ([ended]) => ended?.rows[0] as MovedRow | undefined,
    }));
    if (failed === undefined) return false;
    this.metrics.callMoved('failed');
    await this.lineFreed(failed);
    return true;
  }

  private async write(callRequestId: string, move: Move, besides: Query[]): Promise<boolean> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const [result] = await own.inOneRoundTrip([moveQuery(callRequestId, move), ...besides]);
    const moved = result?.rows[0] as MovedRow | undefined;
    if (moved === undefined) return false;
    if (isFinal(move.to) || move.to === 'dial_unknown') this.metrics.callMoved(move.to);
    if (isFinal(move.to)) await this.lineFreed(moved);
    return true;
  }

  private async lineFreed({ team_id: teamId, has_lines: hasLines }: MovedRow): Promise<void> {
    if (hasLines) await this.lines.offer(teamId);
  }
}

function moveQuery(id: string, { to, cause, reason, carrierCallId, ...move }: Move): Query {
  const { from = statesBefore(to), at, answeredAt, durationSeconds, onlyOf } = move;
  return query(
    MOVE,
    ...[id, to, from, cause, reason ?? null, carrierCallId ?? null, isFinal(to)],
    ...[at ?? null, answeredAt ?? null, secondsOf(durationSeconds), onlyOf ?? null],
  );
}

/** Carriers' numbers are anything; the column is an integer. */
function secondsOf(durationSeconds: number | undefined): number | null {
  if (durationSeconds === undefined || !Number.isFinite(durationSeconds)) return null;
  return Math.min(Math.max(0, Math.round(durationSeconds)), MAX_SECONDS);
}
