import { Injectable } from '@nestjs/common';
import { type CarrierEvent } from '../carriers/carrier.js';
import { teamOfCall } from '../database/team-scope.js';
import { type Query, query, Transactions } from '../database/transactions.js';
import { type CallState, isFinal, statesBefore } from '../domain/call-states.js';
import { Metrics } from '../telemetry/metrics.js';
import { LOCK_TEAM_OF_CALL } from './sql/locks.sql.js';
import { FAIL_UNDIALED, MOVE } from './sql/moves.sql.js';

/** A move of a claimed call. */
export interface Move {
  to: CallState;
  cause: string;
  reason?: string | null;
  carrierCallId?: string | null;
  /** The states it may come from; by default all that the table of moves allows. */
  from?: CallState[];
}

/** Writes down what became of claimed calls. A move that the table of moves does not allow changes nothing. */
@Injectable()
export class OutcomeService {
  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
  ) {}

  /** @returns whether the call moved. */
  async move(callRequestId: string, move: Move): Promise<boolean> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const rows = await own.autocommit(moveQuery(callRequestId, move));
    const moved = rows.length === 1;
    if (moved && (isFinal(move.to) || move.to === 'dial_unknown')) this.metrics.callMoved(move.to);
    return moved;
  }

  /** A carrier's report; reports come twice and in any order. @returns whether the call moved. */
  recordEvent(
    { callRequestId, status, carrierCallId, reason }: CarrierEvent,
    cause = 'carrier_report',
  ): Promise<boolean> {
    return this.move(callRequestId, { to: status, cause, reason, carrierCallId });
  }

  /** A claimed call that certainly reached nobody; under the team's lock, because it uncounts. */
  async failUndialed(callRequestId: string, cause: string, reason: string): Promise<boolean> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const failed = await own.run([query(LOCK_TEAM_OF_CALL, callRequestId)], () => ({
      commit: [query(FAIL_UNDIALED, callRequestId, ['dialing', 'dial_unknown'], cause, reason)],
      value: ([ended]) => ended?.rows.length === 1,
    }));
    if (failed) this.metrics.callMoved('failed');
    return failed;
  }
}

function moveQuery(id: string, { to, cause, reason, carrierCallId, from = statesBefore(to) }: Move): Query {
  return query(MOVE, id, to, from, cause, reason ?? null, carrierCallId ?? null, isFinal(to));
}
