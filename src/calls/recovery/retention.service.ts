import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { query, Transactions } from '../../database/transactions.js';
import { IDLE_HOURS, LONGEST_DAYS } from '../../people/session-limits.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Metrics } from '../../telemetry/metrics.js';
import {
  DROP_OLD_CALL_MONTH,
  MAKE_CALL_MONTHS,
  REMOVE_ENDED_ACCESS,
  REMOVE_ENDED_CALLS,
  REMOVE_OLD_ANSWERS,
  REMOVE_OLD_PLAN_USAGE,
  type RemovedAnswersRow,
  type RemovedCallsRow,
  TEAMS_WITH_OLD_CALLS,
} from './retention.sql.js';

/** The most calls that one statement examines. The statement takes some tens of milliseconds. */
const CALLS = 500;
/**
 * The pause between two statements about one team, as a multiple of the duration of the first. Within a team,
 * the removal uses at most a third of a connection's time.
 */
const PAUSES_PER_STATEMENT = 2;
const SHORTEST_PAUSE_MS = 20;
const TEAMS = 1_000;
/** The most answers that one statement removes. One API key may create 1,000 answers a second. */
const ANSWERS = 2_000;
/** How often the removal begins with the oldest answer again, because earlier runs skipped locked rows. */
const FROM_THE_OLDEST_MS = 600_000;

/** The most counts of plan usage that one statement removes. A team has up to 16 counts a month. */
const COUNTS = 2_000;

/** The most sessions, and the most links, that one statement removes. */
const ACCESSES = 1_000;

const BEGINNING = '-infinity';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Removes rows whose retention is over: ended calls, answers to idempotency keys, counts of plan usage, and sessions
 * and links of people.
 */
@Injectable()
export class RetentionService {
  private readonly logger = new Logger(RetentionService.name);
  private answersFrom = BEGINNING;
  private fromTheOldestAt = -Infinity;

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Removes ended calls past their retention, for each team with a limited retention. Also creates the
   * partitions for the details of calls of the coming months. While another process removes calls, this
   * process removes none.
   *
   * @returns how many calls it removed. An abort of `signal` ends the removal early.
   */
  async removeCalls(signal: AbortSignal): Promise<number> {
    await this.transactions.autocommit(query(MAKE_CALL_MONTHS));
    // An error is only logged, because the loop below also removes details whose month was not dropped.
    await this.dropMonths(signal).catch((error: unknown) => {
      this.logger.warn(`no month of calls dropped: ${describeError(error)}`);
    });
    let removed = 0;
    let after: string | undefined = FIRST_ID;
    while (after !== undefined && !signal.aborted) {
      const teams: { id: string }[] = await this.transactions.autocommit<{ id: string }>(
        query(TEAMS_WITH_OLD_CALLS, after, TEAMS),
      );
      for (const { id } of teams) removed += await this.removeCallsOf(id, signal);
      after = teams.length < TEAMS ? undefined : teams.at(-1)?.id;
    }
    if (removed > 0) this.logger.log({ message: 'ended calls removed', calls: removed });
    return removed;
  }

  /** Removes answers older than 24 hours. @returns how many. An abort of `signal` ends the removal early. */
  async removeAnswers(signal: AbortSignal): Promise<number> {
    if (performance.now() - this.fromTheOldestAt > FROM_THE_OLDEST_MS) {
      this.answersFrom = BEGINNING;
      this.fromTheOldestAt = performance.now();
    }
    let total = 0;
    for (let removed = ANSWERS; removed === ANSWERS && !signal.aborted;) {
      const [row] = await this.transactions.autocommit<RemovedAnswersRow>(
        query(REMOVE_OLD_ANSWERS, this.answersFrom, ANSWERS),
      );
      removed = row?.removed ?? 0;
      this.answersFrom = row?.created_at ?? this.answersFrom;
      this.metrics.rowsRemoved('idempotency_keys', removed);
      total += removed;
    }
    return total;
  }

  /** Drops details by whole months, because these rows then need not be removed one by one. */
  private async dropMonths(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [row] = await this.transactions.autocommit<{ details: number | null }>(
        query(DROP_OLD_CALL_MONTH),
      );
      if (row?.details == null) return;
      this.metrics.rowsRemoved('call_details', row.details);
      this.logger.log({ message: 'details of a month of calls dropped', rows: row.details });
    }
  }

  /**
   * Removes counts of plan usage of past months that no rule reads.
   * @returns how many counts it removed. An abort of `signal` ends the removal early.
   */
  async removePlanUsage(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let removed = COUNTS; removed === COUNTS && !signal.aborted; total += removed) {
      const [row] = await this.transactions.autocommit<{ removed: number }>(
        query(REMOVE_OLD_PLAN_USAGE, COUNTS),
      );
      removed = row?.removed ?? 0;
    }
    return total;
  }

  /**
   * Removes sessions and links that are over.
   * @returns how many. An abort of `signal` ends the removal early.
   */
  async removeAccess(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let removed = ACCESSES; removed >= ACCESSES && !signal.aborted; total += removed) {
      const [row] = await this.transactions.autocommit<{ removed: number }>(
        query(REMOVE_ENDED_ACCESS, `${IDLE_HOURS} hours`, `${LONGEST_DAYS} days`, ACCESSES),
      );
      removed = row?.removed ?? 0;
    }
    return total;
  }

  private async removeCallsOf(teamId: string, signal: AbortSignal): Promise<number> {
    let total = 0;
    let after: Pick<RemovedCallsRow, 'accepted_at' | 'id'> | undefined = {
      accepted_at: BEGINNING,
      id: FIRST_ID,
    };
    while (after !== undefined && !signal.aborted) {
      const startedAt = performance.now();
      const [row]: RemovedCallsRow[] = await this.transactions.autocommit<RemovedCallsRow>(
        query(REMOVE_ENDED_CALLS, teamId, after.accepted_at, after.id, CALLS),
      );
      this.metrics.rowsRemoved('call_requests', row?.removed ?? 0);
      this.metrics.rowsRemoved('call_details', row?.details ?? 0);
      total += row?.removed ?? 0;
      after = row?.looked_at === CALLS ? row : undefined;
      if (after !== undefined) await rest((performance.now() - startedAt) * PAUSES_PER_STATEMENT, signal);
    }
    return total;
  }
}

/** Waits for `ms`, but at least for {@link SHORTEST_PAUSE_MS}. An abort of the signal ends the wait. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(Math.max(SHORTEST_PAUSE_MS, ms), undefined, { signal }).catch(() => undefined);
}
