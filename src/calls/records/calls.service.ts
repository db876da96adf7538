import { Injectable } from '@nestjs/common';
import { team } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { type CallState } from '../../domain/call-states.js';
import { CALLBACK_OUT_OF_RANGE } from '../../results/results.sql.js';
import { AppError, invalid, notFound, problemsOf } from '../../http/app-error.js';
import { type CallResultView, type ReadResult } from '../../http/call-result-fields.js';
import { isUuid } from '../../http/validators.js';
import { CallResultsService } from '../../results/call-results.service.js';
import { HangUpsService } from './hang-ups.service.js';
import { CancellationsService } from './cancellations.service.js';
import { type CallRow, FIND_CALL, type ListedCallRow } from './read.sql.js';

/** A call as its team sees it. Instants are ISO 8601 in UTC. */
export interface CallView {
  callRequestId: string;
  contactId: string;
  /** The external id that the contact has now; null: it has none. */
  externalId: string | null;
  agentId: string;
  /** The enrollment that dials the call; null if the call was triggered. */
  enrollmentId: string | null;
  /** The campaign of the enrollment; null if the call was triggered. */
  campaignId: string | null;
  acceptedAt: string;
  status: CallState;
  reason: string | null;
  runsAt: string;
  expiresAt: string;
  /** The window of the trigger; null: no such bound. */
  notBefore: string | null;
  notAfter: string | null;
  phoneNumber: string;
  callerId: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  durationSeconds: number | null;
  prompt: string | null;
  firstMessage: string | null;
  unknownPlaceholders: string[];
  /** The result of the call; null: none was reported. */
  result: CallResultView | null;
  history: unknown[];
}

/** Reads, cancels and hangs up one team's calls, and records their results. */
@Injectable()
export class CallsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly cancellations: CancellationsService,
    private readonly hangUps: HangUpsService,
    private readonly results: CallResultsService,
  ) {}

  /** @throws AppError NOT_FOUND, also for another team's call. */
  async get(teamId: string, callRequestId: string): Promise<CallView> {
    return viewOf(await this.find(teamId, callRequestId));
  }

  /** Ends a pending call. @throws AppError NOT_FOUND; CONFLICT if the call is no longer pending. */
  async cancel(teamId: string, callRequestId: string): Promise<CallView> {
    await this.cancellations.cancel(teamId, callRequestId, 'canceled');
    return this.get(teamId, callRequestId);
  }

  /** Ends a call in progress. @returns the call, which is in progress until its carrier reports the end. @throws AppError as {@link HangUpsService.hangUp}. */
  async hangUp(teamId: string, callRequestId: string): Promise<CallView> {
    await this.hangUps.hangUp(teamId, callRequestId);
    return this.get(teamId, callRequestId);
  }

  /**
   * Records what was found out in a call. An opt-out is carried out even if the result is refused.
   *
   * @throws AppError INVALID_REQUEST naming the field at fault; NOT_FOUND; CONFLICT before the call is
   *   claimed, or if the call has another result.
   */
  async report(teamId: string, callRequestId: string, result: ReadResult): Promise<CallView> {
    const outcome = isUuid(callRequestId)
      ? await this.results.record(teamId, callRequestId.toLowerCase(), result)
      : 'unknown';
    if (!result.ok) throw invalid(...problemsOf(result));
    const call = await this.find(teamId, callRequestId);
    if (outcome === 'far') throw invalid(CALLBACK_OUT_OF_RANGE);
    if (outcome === 'early') throw new AppError('CONFLICT', `The call is ${call.status} and was not dialed`);
    if (outcome === 'other') throw new AppError('CONFLICT', 'The call has another result');
    return viewOf(call);
  }

  private async find(teamId: string, callRequestId: string): Promise<CallRow> {
    const own = this.transactions.within(team(teamId));
    const rows = isUuid(callRequestId)
      ? await own.read<CallRow>(query(FIND_CALL, callRequestId, teamId))
      : [];
    const [row] = rows;
    if (row === undefined) throw notFound('Call');
    return row;
  }
}

function viewOf(row: CallRow): CallView {
  return {
    ...listedViewOf(row),
    notBefore: row.not_before?.toISOString() ?? null,
    notAfter: row.not_after?.toISOString() ?? null,
    prompt: row.prompt,
    history: row.history,
  };
}

/** A call as the team's list shows it: without its window, prompt and history. */
export type ListedCallView = Omit<CallView, 'notBefore' | 'notAfter' | 'prompt' | 'history'>;

/** The fields of a listed call, in the order of an export's columns. */
export const CALL_COLUMNS = [
  'callRequestId',
  'contactId',
  'externalId',
  'agentId',
  'enrollmentId',
  'campaignId',
  'acceptedAt',
  'status',
  'reason',
  'runsAt',
  'expiresAt',
  'phoneNumber',
  'callerId',
  'answeredAt',
  'endedAt',
  'durationSeconds',
  'firstMessage',
  'unknownPlaceholders',
  'result',
] satisfies (keyof ListedCallView)[];

export function listedViewOf(row: ListedCallRow): ListedCallView {
  return {
    callRequestId: row.id,
    contactId: row.contact_id,
    externalId: row.external_id,
    agentId: row.agent_id,
    enrollmentId: row.enrollment_id,
    campaignId: row.campaign_id,
    acceptedAt: row.accepted_at.toISOString(),
    status: row.status,
    reason: row.reason,
    runsAt: row.runs_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    phoneNumber: row.phone_number,
    callerId: row.caller_id,
    answeredAt: row.answered_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    durationSeconds: row.duration_seconds,
    firstMessage: row.first_message,
    unknownPlaceholders: row.unknown_placeholders,
    result: row.result,
  };
}
