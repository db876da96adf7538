import { Injectable } from '@nestjs/common';
import { meaningOf, RECORD_RESULT } from '../campaigns/engine/results-of-calls.js';
import { Settlement } from '../campaigns/engine/settlement.service.js';
import { type CarrierEvent } from '../carriers/carrier.js';
import { limitLockWaits, team } from '../database/team-scope.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { type Query, query, Transactions, type TransactionStep } from '../database/transactions.js';
import { DoNotCallJournal } from '../suppression/do-not-call-journal.service.js';
import { type Suppression, suppressing } from '../suppression/suppressing.js';
import { type ReadResult, type ReportedResult } from '../http/call-result-fields.js';
import { EngineWakeUps } from '../queue/wake-ups.js';
import { LOCK_NUMBER_OF_CALL, SHARE_TEAM_OF_CALL } from '../dialing/facts/locks.sql.js';
import { TEAM_OF_CALL, type TeamOfCallRow } from '../dialing/facts/team-of-call.sql.js';
import { RESULT_FACTS, type ResultFactsRow, STORE_RESULT } from './results.sql.js';

/**
 * `taken`: the call has this result now. `other`: the call has another result. `early`: the call is not
 * claimed. `unknown`: there is no such call. `malformed`, `far`: at most the opt-out is carried out, because of a malformed
 * field or a callback that is too far away.
 */
export type ResultOutcome = 'taken' | 'other' | 'early' | 'unknown' | 'malformed' | 'far';

interface Report {
  teamId: string;
  callRequestId: string;
  /** The reporting carrier, and its id of the call if it sent one; null: the team reports. */
  carrier: { name: string; callId: string | null } | null;
  result: ReadResult;
}

/**
 * Records the results of calls. An opt-out is carried out in the same transaction, even if its result is
 * refused.
 */
@Injectable()
export class CallResultsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly engine: EngineWakeUps,
    private readonly journal: DoNotCallJournal,
    private readonly settlement: Settlement,
  ) {}

  /** Records a result that the team reports with its key. */
  record(teamId: string, callRequestId: string, result: ReadResult): Promise<ResultOutcome> {
    return this.take({ teamId, callRequestId, carrier: null, result });
  }

  /**
   * Records the result of a carrier's event. The outcome for another carrier's call is `unknown`.
   * @returns null if the event has no result.
   */
  async recordOf(carrier: string, event: CarrierEvent): Promise<ResultOutcome | null> {
    const { callRequestId, carrierCallId: callId, result: value } = event;
    if (value === undefined) return null;
    return this.takeOf({ name: carrier, callId }, callRequestId, { ok: true, value });
  }

  /** Carries out the opt-out in a carrier's report that is otherwise malformed. */
  async optOutOf(carrier: string, callRequestId: string): Promise<void> {
    const result = { ok: false, message: '', problems: [], optOut: true } as const;
    await this.takeOf({ name: carrier, callId: null }, callRequestId, result);
  }

  private async takeOf(
    carrier: Report['carrier'],
    callRequestId: string,
    result: ReadResult,
  ): Promise<ResultOutcome> {
    // A carrier's report names no team.
    const [row] = await this.transactions.read<TeamOfCallRow>(query(TEAM_OF_CALL, callRequestId));
    if (!row?.team_id) return 'unknown';
    return this.take({ teamId: row.team_id, callRequestId, carrier, result });
  }

  private async take(report: Report): Promise<ResultOutcome> {
    const { teamId, callRequestId: id, carrier, result } = report;
    const { disposition, callbackAt, optOut, data } = result.ok
      ? result.value
      : { ...EMPTY, optOut: result.optOut };
    if (!result.ok && !optOut) return 'malformed';
    const facts = query(
      RESULT_FACTS,
      id,
      teamId,
      carrier?.name ?? null,
      carrier?.callId ?? null,
      disposition,
      callbackAt,
      optOut,
      data,
    );
    // An opt-out needs the locks of an addition to the Do Not Call list: the number's, and the team's to
    // release usage.
    const locks = [query(LOCK_NUMBER_OF_CALL, id), ...(optOut ? [query(SHARE_TEAM_OF_CALL, id)] : [])];
    // What earlier calls have caused counts before the opt-out.
    if (optOut) await this.settlement.settleFirst(teamId, 'callsToNumber', [id]);
    const own = this.transactions.within(team(teamId));
    let row: ResultFactsRow | undefined;
    const outcome = await this.semaphore.runWithLocks(teamId, () =>
      own.run([limitLockWaits(), ...locks, facts], (results) => {
        row = results.at(-1)?.rows[0] as ResultFactsRow | undefined;
        return decide(report, row);
      }),
    );
    // A repeated opt-out is recorded again, because the earlier request may not have reached the journal.
    if (optOut && row) await this.journal.added(teamId, [row.phone_number], { source: 'opt_out' });
    if (outcome === 'taken' && row?.enrollment_id) this.engine.wake();
    return outcome;
  }
}

const EMPTY: ReportedResult = { disposition: null, callbackAt: null, optOut: false, data: null };

function decide(report: Report, row: ResultFactsRow | undefined): TransactionStep<ResultOutcome> {
  if (row === undefined) return { rollback: 'unknown' };
  const outcome = outcomeOf(report, row);
  const { result } = report;
  const isNew = outcome === 'taken' && !row.known;
  const optOut = result.ok ? result.value.optOut : result.optOut;
  const writes = [
    ...(isNew && result.ok ? storing(report, result.value, row) : []),
    ...(optOut ? optingOut(report, row, isNew && result.ok && meaningOf(row, result.value).goal) : []),
  ];
  return writes.length === 0 ? { rollback: outcome } : { commit: writes, value: () => outcome };
}

function outcomeOf({ result }: Report, row: ResultFactsRow): ResultOutcome {
  if (!result.ok) return 'malformed';
  if (row.far && !row.same) return 'far';
  if (!row.claimed) return 'early';
  // The first result of an erased call was erased, so a new result cannot be compared with it.
  return !row.known || row.same || row.erased ? 'taken' : 'other';
}

function storing({ teamId, callRequestId }: Report, result: ReportedResult, row: ResultFactsRow): Query[] {
  const { goal, named } = meaningOf(row, result);
  const { callbackAt, optOut } = result;
  // For an erased contact, only the opt-out and a disposition that the campaign itself names are stored.
  const {
    disposition,
    data,
    callbackAt: stored,
  } = row.erased ? { ...EMPTY, disposition: named ? result.disposition : null } : result;
  const store = query(STORE_RESULT, callRequestId, teamId, disposition, stored, optOut, data);
  if (row.enrollment_id === null) return [store];
  const line = {
    kind: 'result',
    callRequestId,
    goal,
    optOut,
    callbackAt: row.erased ? null : (callbackAt?.toISOString() ?? null),
  };
  return [store, query(RECORD_RESULT, row.enrollment_id, goal, JSON.stringify(line))];
}

/** @param hasGoal whether the result reaches the goal of the call's enrollment, which then ends as completed. */
function optingOut(
  { teamId, callRequestId }: Report,
  { phone_number: number, enrollment_id: enrollmentId }: ResultFactsRow,
  hasGoal: boolean,
): Query[] {
  const reason = `Opted out in call ${callRequestId}`;
  const suppression: Suppression = {
    teamId,
    numbers: [number],
    erased: [null],
    reason,
    source: 'opt_out',
  };
  return suppressing(suppression, hasGoal ? enrollmentId : null);
}
