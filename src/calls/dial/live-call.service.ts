import { Injectable } from '@nestjs/common';
import { teamOfCall } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { CALL_BRIEFING, type CallBriefingRow } from './live-call.sql.js';

/** What a carrier needs again of a call that it is at work on. */
export interface LiveCall {
  prompt: string;
  firstMessage: string;
  variables: Record<string, unknown>;
  /** The agent's, as they are now. */
  carrierSettings: Record<string, unknown>;
}

/** Calls that carriers ask about. Whom they belong to, a carrier does not know. */
@Injectable()
export class LiveCallService {
  constructor(private readonly transactions: Transactions) {}

  /** Null where the call is not with this carrier under this id. */
  async briefing(carrier: string, callRequestId: string, carrierCallId: string): Promise<LiveCall | null> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const [row] = await own.read<CallBriefingRow>(
      query(CALL_BRIEFING, callRequestId, carrier, carrierCallId),
    );
    if (row === undefined) return null;
    const { prompt, first_message: firstMessage, variables, carrier_settings: carrierSettings } = row;
    return { prompt: prompt ?? '', firstMessage: firstMessage ?? '', variables, carrierSettings };
  }
}
