import { Injectable } from '@nestjs/common';
import { type CarrierEvent, type CarrierEventStatus } from '../../carriers/carrier.js';
import {
  Batchers,
  done,
  type ItemBatcher,
  type ItemResult,
  retryOnLockTimeout,
} from '../../database/batch-work.js';
import { mayBeOfOneStatement } from '../../database/database-errors.js';
import { teamOfCall, teamsOfCalls } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { type CallState } from '../../domain/call-states.js';
import { type CallCause } from '../../domain/call-causes.js';
import { EngineWakeUps } from '../../queue/wake-ups.js';
import { Metrics } from '../../telemetry/metrics.js';
import { ConcurrencySlots } from '../concurrency-slots/concurrency-slots.js';
import { SHARE_TEAM_OF_CALL } from '../facts/locks.sql.js';
import { reportOf, type Transition } from './transition.js';
import {
  APPLY_TRANSITIONS,
  FAIL_UNDIALED,
  IS_OF_CARRIER,
  type ChangedRow,
  NEED_NOT_WAIT_FOR_DISK,
  NOTE_ANSWER,
  REQUEUE,
  type Report,
  TEAM_OF_EACH_CALL,
  type TeamOfCallRow,
  UNSETTLED_END,
} from './transitions.sql.js';

/** The longest pause that a carrier's `Retry-After` can set. A longer one is shortened to this pause. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * Why a claimed call was not dialed. A triggered call is then requeued, unless its contact was erased. A
 * campaign's call ends `failed`, and so does a call of an erased contact.
 */
export type RequeueCause = 'carrier_throttled' | 'carrier_unreachable';

/**
 * Records what became of claimed calls. A transition that `domain/call-states.ts` forbids does not change the
 * state. A carrier's report can still set the answer time and the duration.
 */
@Injectable()
export class OutcomeService {
  /**
   * The teams of calls whose reports are retried. For other reports the team is unknown, so they are queued
   * by call.
   */
  private readonly teams = new Map<string, string>();
  /**
   * Within one process, reports of one call are never written concurrently. A retry may change their
   * order.
   */
  private readonly batcher: ItemBatcher<Report, ChangedRow | null>;

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
    private readonly concurrencySlots: ConcurrencySlots,
    private readonly engine: EngineWakeUps,
    batchers: Batchers,
  ) {
    this.batcher = batchers.of<Report, ChangedRow | null>({
      run: (reports, locks) => retryOnLockTimeout(reports, locks, this.writeOrFindTeams(reports)),
      teamOf: ({ id }) => this.teams.get(id) ?? id,
      keyOf: ({ id }) => id,
    });
  }

  /** @returns whether the call changed its state. */
  apply(callRequestId: string, transition: Transition): Promise<boolean> {
    return this.report(reportOf(callRequestId, transition, false));
  }

  /**
   * Records a carrier's report. Reports may arrive repeatedly and in any order.
   * @returns whether the call changed its state.
   */
  recordEvent(
    carrier: string,
    { callRequestId, status, unknownWord, ...said }: CarrierEvent,
    cause: CallCause = 'carrier_report',
  ): Promise<boolean> {
    if (unknownWord) this.metrics.unknownWord(carrier);
    return this.report(reportOf(callRequestId, { to: status, cause, carrier, ...said }, true));
  }

  /**
   * Records that a call ended without an outcome from its carrier. A later report or an operator can supply
   * the outcome.
   * @returns whether the call changed its state.
   */
  recordSilentEnd(
    carrier: string,
    callRequestId: string,
    carrierCallId: string,
    reason: string,
  ): Promise<boolean> {
    const from: CallState[] = ['in_progress'];
    const said = { carrier, reason, from, onlyOf: carrierCallId };
    return this.apply(callRequestId, { to: 'dial_unknown', cause: 'carrier_report', ...said });
  }

  /**
   * Records that a call has ended while its outcome could not be read yet. It is `dial_unknown` until a look-up or
   * {@link settleEnd} supplies the outcome, with the answer time and duration of the event.
   * @returns whether the call changed its state.
   */
  recordUnsettledEnd(carrier: string, event: CarrierEvent): Promise<boolean> {
    const { callRequestId, carrierCallId, answeredAt, durationSeconds } = event;
    const from: CallState[] = ['dialing', 'in_progress'];
    const said = { carrier, carrierCallId, answeredAt, durationSeconds, reason: UNSETTLED_END, from };
    return this.report(
      reportOf(callRequestId, { to: 'dial_unknown', cause: 'carrier_report', ...said }, true),
    );
  }

  /**
   * Records the outcome of a call with a pending outcome, at the instant of the call's end. Other calls do not change.
   * @returns whether the call changed its state.
   */
  settleEnd(
    carrier: string,
    callRequestId: string,
    carrierCallId: string | null,
    to: CarrierEventStatus,
  ): Promise<boolean> {
    const from: CallState[] = ['dial_unknown'];
    const said = { carrier, carrierCallId, from, ofReason: UNSETTLED_END };
    return this.apply(callRequestId, { to, cause: 'carrier_report', ...said });
  }

  /**
   * Requeues a claimed call that was not dialed.
   *
   * @param leastMs the shortest wait of the call.
   * @returns the call's next wake-up; null if the call has changed since this claim, or has ended because
   *   its contact was erased.
   */
  async requeue(
    callRequestId: string,
    generation: number,
    cause: RequeueCause,
    leastMs: number,
  ): Promise<{ generation: number; delayMs: number } | null> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const least = Math.min(Math.max(0, leastMs), LONGEST_RETRY_AFTER_MS);
    const [row] = await own.autocommit<ChangedRow & { generation: number; delay_ms: number }>(
      query(REQUEUE, callRequestId, generation, cause, least, 'dialing'),
    );
    if (row === undefined) {
      await this.failUndialed(callRequestId, cause, 'CONTACT_ERASED', generation);
      return null;
    }
    await this.offerFreedConcurrencySlot(row);
    return { generation: row.generation, delayMs: row.delay_ms };
  }

  /**
   * Whether a call was given to this carrier, so that the carrier may report on it.
   *
   * @param carrierCallId the carrier's id of the call, if it sends one.
   */
  async isOfCarrier(carrier: string, callRequestId: string, carrierCallId: string | null): Promise<boolean> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const rows = await own.read(query(IS_OF_CARRIER, callRequestId, carrier, carrierCallId));
    return rows.length === 1;
  }

  /**
   * Ends an undialed claimed call as `failed`.
   * @param ofErased if set, the call ends only if it has this generation and its contact was erased.
   */
  async failUndialed(
    callRequestId: string,
    cause: CallCause,
    reason: string,
    ofErased: number | null = null,
  ): Promise<boolean> {
    const own = this.transactions.within(teamOfCall(callRequestId));
    const failed = await own.run<ChangedRow | undefined>([query(SHARE_TEAM_OF_CALL, callRequestId)], () => ({
      commit: [query(FAIL_UNDIALED, callRequestId, ['dialing', 'dial_unknown'], cause, reason, ofErased)],
      value: ([ended]) => ended?.rows[0] as ChangedRow | undefined,
    }));
    if (failed === undefined) return false;
    this.metrics.callTransitioned('failed');
    if (failed.on_enrollment) this.engine.wake();
    await this.offerFreedConcurrencySlot(failed);
    return true;
  }

  private async report(report: Report): Promise<boolean> {
    const changed = await this.batcher.add(report).finally(() => this.teams.delete(report.id));
    if (changed === null) return false;
    const { to, final } = report;
    // A call that was hung up can end in another state than the report says.
    if (final || to === 'dial_unknown') this.metrics.callTransitioned(changed.status);
    if (changed.on_enrollment) this.engine.wake();
    if (final) await this.offerFreedConcurrencySlot(changed);
    return true;
  }

  /**
   * Writes reports. If the batch fails with an error that one report may have caused, the reports are retried.
   * A retry needs the permit of a team, but a carrier's report names no team. So the teams are read first.
   */
  private async writeOrFindTeams(reports: Report[]): Promise<ItemResult<ChangedRow | null>[]> {
    try {
      return await this.write(reports);
    } catch (error) {
      const unknown = reports.filter(({ id }) => !this.teams.has(id)).map(({ id }) => id);
      if (mayBeOfOneStatement(error) && unknown.length > 0) {
        const rows = await this.transactions.read<TeamOfCallRow>(query(TEAM_OF_EACH_CALL, unknown));
        for (const { id, team_id: teamId } of rows) if (teamId !== null) this.teams.set(id, teamId);
      }
      throw error;
    }
  }

  /** @returns for each report, the call whose state it changed, or null. */
  private async write(reports: Report[]): Promise<ItemResult<ChangedRow | null>[]> {
    const own = this.transactions.within(teamsOfCalls(reports.map(({ id }) => id)));
    // Sorted by call, so that two processes with reports of the same calls do not deadlock.
    const json = JSON.stringify(reports.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    const needsDisk = reports.some(({ notes, final }) => notes || final);
    const [changed] = await own.inOneRoundTrip([
      query(APPLY_TRANSITIONS, json),
      ...(reports.some(({ notes }) => notes) ? [query(NOTE_ANSWER, json)] : []),
      ...(needsDisk ? [] : [query(NEED_NOT_WAIT_FOR_DISK)]),
    ]);
    const rows = new Map((changed?.rows as ChangedRow[]).map((row) => [row.id, row]));
    return reports.map(({ id }) => done(rows.get(id) ?? null));
  }

  private async offerFreedConcurrencySlot(call: ChangedRow): Promise<void> {
    if (call.has_slot_limit) await this.concurrencySlots.offer(call.team_id);
  }
}
