import { Injectable, Logger } from '@nestjs/common';
import { placeCallBounded } from '../carriers/bounded.js';
import { type CarrierEvent, type PlaceCallRequest, type PlaceCallResult } from '../carriers/carrier.js';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { type Query, query, Transactions } from '../database/transactions.js';
import { type CallState, isFinal, statesBefore } from '../domain/call-states.js';
import { LOCK_TEAM_OF_CALL } from './sql/locks.sql.js';
import { FAIL_UNDIALED, MOVE } from './sql/moves.sql.js';

/** The claimer dials within this of its claim, or not at all; the sweeper counts on it (design §3.1). */
export const DIAL_WITHIN_MS = 5_000;

/** Pauses between attempts to record what the carrier said; what cannot be recorded becomes `dial_unknown`. */
const RECORD_RETRY_MS = [100, 500, 2_000];

export interface ClaimedCall {
  carrier: string;
  request: PlaceCallRequest;
  /** `performance.now()` before the claim was sent. */
  claimedAtMonotonic: number;
}

/** Dials what was claimed, exactly once, and records what the carrier says. */
@Injectable()
export class DialService {
  private readonly logger = new Logger(DialService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly carriers: CarrierRegistry,
  ) {}

  /** Never throws: whatever happens after a claim is an outcome to record, not a reason to run the job again. */
  async dial({ carrier: name, request, claimedAtMonotonic }: ClaimedCall): Promise<void> {
    const id = request.callRequestId;
    const carrier = this.carriers.get(name);
    if (carrier === undefined)
      return this.record(id, failedUndialed(id, 'not_dialed', 'CARRIER_NOT_CONFIGURED'));
    if (performance.now() - claimedAtMonotonic > DIAL_WITHIN_MS) {
      return this.record(id, failedUndialed(id, 'not_dialed', 'NOT_DIALED'));
    }
    const result = await placeCallBounded(carrier, request, (error) =>
      this.logger.warn(`call ${id}: ${error instanceof Error ? error.name : 'error'} from carrier ${name}`),
    );
    await this.record(id, afterDial(id, result));
  }

  /**
   * A carrier's report. Reports come twice and in any order: one that the table of moves does not allow changes
   * nothing.
   *
   * @returns whether the call moved.
   */
  async recordEvent(event: CarrierEvent): Promise<boolean> {
    const { callRequestId, status, carrierCallId, reason } = event;
    const rows = await this.transactions.read(
      move(callRequestId, status, 'carrier_report', reason ?? null, carrierCallId),
    );
    return rows.length === 1;
  }

  private async record(id: string, queries: Query[]): Promise<void> {
    for (const pause of [...RECORD_RETRY_MS, null]) {
      try {
        await this.transactions.run(queries.slice(0, -1), () => ({
          commit: queries.slice(-1),
          value: () => undefined,
        }));
        return;
      } catch (error) {
        this.logger.error(`call ${id}: outcome not recorded: ${(error as Error).message}`);
        if (pause === null) return;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}

function afterDial(id: string, result: PlaceCallResult): Query[] {
  switch (result.kind) {
    case 'accepted':
      return [move(id, 'in_progress', 'carrier_accepted', null, result.carrierCallId)];
    case 'refused':
      return failedUndialed(id, 'carrier_refused', result.reason);
    case 'unknown':
      return [move(id, 'dial_unknown', 'carrier_silent', result.reason, null)];
  }
}

function move(
  id: string,
  to: CallState,
  cause: string,
  reason: string | null,
  carrierCallId: string | null,
): Query {
  return query(MOVE, id, to, statesBefore(to), cause, reason, carrierCallId, isFinal(to));
}

/** Under the team's lock, because it uncounts. */
function failedUndialed(id: string, cause: string, reason: string): Query[] {
  return [query(LOCK_TEAM_OF_CALL, id), query(FAIL_UNDIALED, id, ['dialing', 'dial_unknown'], cause, reason)];
}
