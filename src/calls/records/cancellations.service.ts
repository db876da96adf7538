import { Injectable } from '@nestjs/common';
import { auditing, auditingCall } from '../../audit/audited-change.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { limitLockWaits, LOCK_TEAM_SHARED, team } from '../../database/team-scope.js';
import { type Query, query, Transactions } from '../../database/transactions.js';
import { type CallCause } from '../../domain/call-causes.js';
import { AppError, invalid, notFound } from '../../http/app-error.js';
import { isUuid } from '../../http/validators.js';
import { readSoughtNumber } from '../../phone-numbers/team-number.js';
import { CallQueue } from '../../queue/call-queue.js';
import { TeamsService } from '../../teams/teams.service.js';
import { CANCEL_PENDING } from '../../dialing/outcome/end-pending.sql.js';
import { LOCK_NUMBERS } from '../../dialing/facts/locks.sql.js';
import { type CancelCalls, type Cancellations } from './cancel-calls.dto.js';
import { COUNT_PENDING, FIND_PENDING, type PendingCallRow } from './cancel-calls.sql.js';
import { type CallRow, FIND_CALL } from './read.sql.js';

/** The most calls that one request cancels, so that it ends within the time that proxies allow. */
const MOST_A_REQUEST = 5_000;
/** Calls of one transaction. Postgres keeps their locks in memory of a fixed size. */
const CALLS_A_TRANSACTION = 100;

/** Cancels calls that have not been dialed. A call that a worker claims meanwhile is not canceled. */
@Injectable()
export class CancellationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly semaphore: KeyedSemaphore,
    private readonly teams: TeamsService,
  ) {}

  /** @throws AppError `NOT_FOUND`; `CONFLICT` if the call is no longer pending. */
  async cancel(teamId: string, id: string, cause: CallCause): Promise<void> {
    const found = await this.find(teamId, id);
    const canceled = await this.cancelBatch(teamId, [found], cause, () =>
      auditingCall(teamId, id, 'canceled'),
    );
    if (canceled > 0) return;
    const { status } = await this.find(teamId, id);
    throw new AppError('CONFLICT', `The call is ${status} and can no longer be canceled`);
  }

  /**
   * Cancels up to {@link MOST_A_REQUEST} calls for an operator, or only counts them.
   *
   * @throws AppError `NOT_FOUND` for the team; `INVALID_REQUEST` for a malformed number, or if no filter is set.
   */
  async cancelMatching(teamId: string, { dryRun, ...sent }: CancelCalls): Promise<Cancellations> {
    const ofTeam = await this.teams.find(teamId);
    if (Object.values(sent).every((value) => value === undefined)) {
      throw invalid('At least one of status, agentId, phoneNumber, acceptedFrom and acceptedTo must be set');
    }
    const { status, agentId, phoneNumber, acceptedFrom, acceptedTo } = sent;
    const number = phoneNumber === undefined ? null : readSoughtNumber(ofTeam, phoneNumber, 'phoneNumber');
    const filters = [teamId, status, agentId, number, acceptedFrom, acceptedTo].map((value) => value ?? null);
    const matching = await this.count(teamId, filters);
    if (dryRun === true) return { matching, canceled: 0, remaining: matching };
    const own = this.transactions.within(team(teamId));
    const calls = await own.read<PendingCallRow>(query(FIND_PENDING, ...filters, MOST_A_REQUEST));
    let canceled = 0;
    for (let start = 0; start < calls.length; start += CALLS_A_TRANSACTION) {
      const batch = calls.slice(start, start + CALLS_A_TRANSACTION);
      canceled += await this.cancelBatch(teamId, batch, 'canceled_by_operator', (calls) =>
        auditing({ teamId, action: 'call.canceled', target: { type: 'call', id: null }, after: { calls } }),
      );
    }
    return { matching, canceled, remaining: await this.count(teamId, filters) };
  }

  /** @param auditingOf the row of the audit log, by how many were canceled. @returns how many were pending. */
  private async cancelBatch(
    teamId: string,
    calls: readonly LockedCall[],
    cause: CallCause,
    auditingOf: (canceled: number) => Query,
  ): Promise<number> {
    const numbers = [...new Set(calls.map(({ phone_number: number }) => number))];
    const ids = calls.map(({ id }) => id);
    const locks = [limitLockWaits(), query(LOCK_NUMBERS, teamId, numbers), query(LOCK_TEAM_SHARED, teamId)];
    const ended = await this.semaphore.runWithLocks(teamId, () =>
      this.transactions.within(team(teamId)).run<EndedRow[]>(locks, () => ({
        next: [query(CANCEL_PENDING, teamId, ids, cause)],
        decide: ([rows]) => {
          const canceled = (rows?.rows ?? []) as EndedRow[];
          const audited = canceled.length === 0 ? [] : [auditingOf(canceled.length)];
          return { commit: audited, value: () => canceled };
        },
      })),
    );
    await Promise.all(
      ended.map(({ id, generation }) => this.queue.forget({ callRequestId: id, generation })),
    );
    return ended.length;
  }

  private async count(teamId: string, filters: unknown[]): Promise<number> {
    const own = this.transactions.within(team(teamId));
    const [row] = await own.read<{ calls: number }>(query(COUNT_PENDING, ...filters));
    return row?.calls ?? 0;
  }

  private async find(teamId: string, id: string): Promise<CallRow> {
    const own = this.transactions.within(team(teamId));
    const [row] = isUuid(id) ? await own.read<CallRow>(query(FIND_CALL, id, teamId)) : [];
    if (row === undefined) throw notFound('Call');
    return row;
  }
}

type LockedCall = Pick<PendingCallRow, 'id' | 'phone_number'>;

interface EndedRow {
  id: string;
  generation: number;
}
