import { type QueryResult, type QueryResultRow } from 'pg';
import { type LocksToWaitFor } from '../../database/batch-work.js';
import { limitLockWaits, teamOfCall } from '../../database/team-scope.js';
import { type Query, query } from '../../database/transactions.js';
import { type FireFacts } from '../../domain/fire-decision.js';
import { type CallerIdCandidates } from '../../domain/caller-id.js';
import {
  type ErasedFacts,
  guardrailsOf,
  holdsLock,
  hoursOf,
  type NumberOfTeam,
  teamRulesOf,
} from '../../dialing/facts/facts.js';
import {
  LOCK_NUMBER_OF_CALL,
  LOCK_TEAM_OF_CALL,
  type TriedLocksRow,
  TRY_LOCKS_OF_CALLS,
} from '../../dialing/facts/locks.sql.js';
import { type FireCommand } from './command.js';
import { agentCallerIdsOf, rangeOf, numberPick, poolPick } from '../../dialing/claim/agent-facts.js';
import { type DecisionWithCarrier } from '../../dialing/claim/decide.js';
import { FIRE_FACTS, type FireFactsRow } from './fire.sql.js';

/**
 * The locks that the transaction of a batch waits for. With `team`, the transaction waits for the team's
 * lock; with `all`, also for the number's.
 */
export function locksToWaitFor([command]: FireCommand[], locks: LocksToWaitFor): Query[] {
  if (command === undefined || locks === 'none') return [];
  const { callRequestId: id } = command.job;
  const number = locks === 'all' ? [query(LOCK_NUMBER_OF_CALL, id)] : [];
  return [teamOfCall(id), limitLockWaits(), ...number, query(LOCK_TEAM_OF_CALL, id)];
}

/** @param callTimeLimitMs how long a call may last. */
export function readFacts(commands: FireCommand[], locks: LocksToWaitFor, callTimeLimitMs: number): Query[] {
  const ids = commands.map(({ job }) => job.callRequestId);
  return [query(TRY_LOCKS_OF_CALLS, ids, locks !== 'none'), query(FIRE_FACTS, ids, callTimeLimitMs)];
}

interface Changes {
  counted: number;
  claimed: number;
  /** Calls that have to wait for a concurrency slot because of a decision of this batch. */
  waiting: FireFactsRow[];
  /** Calls that waited for a concurrency slot, and that this batch claims. */
  served: FireFactsRow[];
}

/**
 * The facts of a batch, read before the batch writes anything. The code therefore adds the effects of earlier
 * wake-ups to the facts of later ones. A waiting call that an earlier wake-up ends or reschedules still
 * counts as waiting, because the write of that wake-up may do nothing. It does nothing if the row has
 * changed.
 */
export class FireBatchFacts {
  private readonly locks: TriedLocksRow['locks'];
  private readonly rows: Map<string, FireFactsRow>;
  /** How often the claims of this batch have picked each caller ID. */
  private readonly picks = new Map<string, number>();
  private readonly changes = new Map<string, Changes>();

  /** @param results of {@link readFacts}. */
  constructor([locked, found]: QueryResult<QueryResultRow>[]) {
    this.locks = (locked?.rows[0] as TriedLocksRow).locks;
    this.rows = new Map((found?.rows as FireFactsRow[]).map((row) => [row.id, row]));
  }

  /** The row of a command's call; undefined for an unknown call. */
  rowOf({ job }: FireCommand): FireFactsRow | undefined {
    return this.rows.get(job.callRequestId);
  }

  /** The numbers that may also have rows under their erased forms. */
  erasableNumbers(): NumberOfTeam[] {
    return [...this.rows.values()].filter((row) => row.has_erased_numbers).map(numberOf);
  }

  /** Whether the locks of the `n`th command are held as its row needs them. */
  isLocked(n: number, row: FireFactsRow | undefined): boolean {
    return holdsLock(this.locks[n] ?? null, row?.needs_exclusive_lock === true);
  }

  /** The domain's facts about a row, with the effects of the commands before it. */
  factsOf(row: FireFactsRow, erased: ErasedFacts): FireFacts {
    const changes = this.changes.get(row.team_id);
    const known = erased.addTo(row, numberOf(row));
    const adjusted = changes === undefined ? known : adjust(known, changes);
    const hours = hoursOf(row, row.request_timezone);
    return {
      status: row.status,
      generation: row.generation,
      acceptedAt: row.accepted_at,
      runsAt: row.runs_at,
      firstRunsAt: row.first_runs_at,
      expiresAt: row.expires_at,
      paused: row.paused,
      zoneDataInForce: row.zone_data_version,
      hours,
      callerId: callerIdCandidatesOf(row, this.picks),
      guardrails: guardrailsOf(
        adjusted,
        rangeOf(row.phone_number, teamRulesOf(row)),
        row.counted_this_month,
        hours,
      ),
      concurrencySlots: {
        limit: row.max_concurrent_calls,
        active: adjusted.active_calls ?? 0,
        olderWaiting: adjusted.older_waiting ?? 0,
      },
    };
  }

  /** Adds the effects of a decision to the facts of later commands. */
  add(row: FireFactsRow, decision: DecisionWithCarrier): void {
    if (decision.kind === 'waiting' && !row.waiting) this.changesOf(row).waiting.push(row);
    if (decision.kind !== 'claimed') return;
    this.picks.set(decision.callerId, (this.picks.get(decision.callerId) ?? 0) + 1);
    const changes = this.changesOf(row);
    changes.claimed += 1;
    if (!row.counted_this_month) changes.counted += 1;
    if (row.waiting) changes.served.push(row);
  }

  private changesOf({ team_id: teamId }: FireFactsRow): Changes {
    const changes = this.changes.get(teamId) ?? { counted: 0, claimed: 0, waiting: [], served: [] };
    this.changes.set(teamId, changes);
    return changes;
  }
}

function numberOf({ team_id: teamId, phone_number: phoneNumber }: FireFactsRow): NumberOfTeam {
  return { teamId, phoneNumber };
}

function adjust(row: FireFactsRow, changes: Changes): FireFactsRow {
  const older = (rows: FireFactsRow[]) => rows.filter((other) => isOlder(other, row)).length;
  return {
    ...row,
    plan_used: (row.plan_used ?? 0) + changes.counted,
    active_calls: (row.active_calls ?? 0) + changes.claimed,
    older_waiting: (row.older_waiting ?? 0) + older(changes.waiting) - older(changes.served),
  };
}

function isOlder(one: FireFactsRow, other: FireFactsRow): boolean {
  const [at, otherAt] = [one.runs_at.getTime(), other.runs_at.getTime()];
  return at < otherAt || (at === otherAt && one.id < other.id);
}

/** @param picks how often the earlier claims of the batch have picked each number. */
function callerIdCandidatesOf(row: FireFactsRow, picks: ReadonlyMap<string, number>): CallerIdCandidates {
  return {
    ...agentCallerIdsOf(row, picks),
    requestPool: poolPick(row.request_number_pool_id, row, picks),
    fromNumber: numberPick(row.from_phone_number, row.from_number_usable),
  };
}
