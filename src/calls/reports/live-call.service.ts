import { Injectable } from '@nestjs/common';
import { ONLY_ATTEMPT, withAttempt } from '../../domain/attempt-variables.js';
import { teamOfCall } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { CALL_BRIEFING, type CallBriefingRow, REPORTED_CALL, type ReportedCallRow } from './live-call.sql.js';

/** What a carrier requests while it handles a call. */
export interface LiveCall {
  prompt: string;
  firstMessage: string;
  variables: Record<string, unknown>;
  /** The current settings of the agent. */
  carrierSettings: Record<string, unknown>;
}

/** Reads calls for their carriers. A carrier names only the call, not its team. */
@Injectable()
export class LiveCallService {
  constructor(private readonly transactions: Transactions) {}

  /** What a report about a call needs; null: the carrier has no such call. */
  async callOf(carrier: string, callRequestId: string) {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const [row] = await own.read<ReportedCallRow>(query(REPORTED_CALL, callRequestId, carrier));
    return row === undefined ? null : { teamId: row.team_id, carrierSettings: row.carrier_settings };
  }

  /** The texts of a call that may be in progress at this carrier under this id; null for every other call. */
  async briefing(carrier: string, callRequestId: string, carrierCallId: string): Promise<LiveCall | null> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const [row] = await own.read<CallBriefingRow>(
      query(CALL_BRIEFING, callRequestId, carrier, carrierCallId),
    );
    if (row === undefined) return null;
    const { prompt, first_message: firstMessage, carrier_settings: carrierSettings } = row;
    const variables = withAttempt(row.variables, ONLY_ATTEMPT);
    return { prompt: prompt ?? '', firstMessage: firstMessage ?? '', variables, carrierSettings };
  }
}
