import { type QueryResult, type QueryResultRow } from 'pg';
import { type LocksToWaitFor } from '../../database/batch-work.js';
import { limitLockWaits, teamOfCall } from '../../database/team-scope.js';
import { type Query, query } from '../../database/transactions.js';
import { BatchEffects } from '../../dialing/facts/batch-effects.js';
import { complianceOf } from '../../dialing/facts/compliance.js';
import { type PackIndex } from '../../domain/compliance/pack-index.js';
import { type FireFacts } from '../../domain/fire-decision.js';
import { type CallerIdCandidates } from '../../domain/caller-id.js';
import { teamRulesOf } from '../../domain/team-settings.js';
import {
  type ErasedFacts,
  guardrailsOf,
  holdsLock,
  hoursOf,
  type NumberOfTeam,
  statedZoneOf,
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

/**
 * The facts of a batch. {@link BatchEffects} adds the effects of earlier decisions to the facts of later ones.
 * Calls of a team are decided in the order in which they wait for concurrency slots, so each earlier decision
 * is about an older call. A waiting call that the batch ends or reschedules still counts as waiting, because the
 * write does nothing if the row has changed.
 */
export class FireBatchFacts {
  private readonly locks: TriedLocksRow['locks'];
  private readonly rows: Map<string, FireFactsRow>;
  private readonly effects = new BatchEffects();

  /** @param results of {@link readFacts}. */
  constructor(
    [locked, found]: QueryResult<QueryResultRow>[],
    private readonly packs: PackIndex,
  ) {
    this.locks = (locked?.rows[0] as TriedLocksRow).locks;
    this.rows = new Map((found?.rows as FireFactsRow[]).map((row) => [row.id, row]));
  }

  /** The row of a command's call; undefined for an unknown call. */
  rowOf({ job }: FireCommand): FireFactsRow | undefined {
    return this.rows.get(job.callRequestId);
  }

  /** The rows of the batch. */
  all(): Iterable<FireFactsRow> {
    return this.rows.values();
  }

  /** The order of the decisions, as indexes of the commands: older calls first. */
  orderOf(commands: FireCommand[]): number[] {
    const rows = commands.map((command) => this.rowOf(command));
    return [...commands.keys()].sort((a, b) => compareAges(rows[a], rows[b]));
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
    const { planUsed, claims, waiting, picks } = this.effects;
    const known = erased.addTo(row, numberOf(row));
    const counted = { ...known, plan_used: (row.plan_used ?? 0) + planUsed.of(row.team_id) };
    const hours = hoursOf(row, row.request_timezone);
    const called = { phoneNumber: row.phone_number, zone: statedZoneOf(hours) };
    return {
      status: row.status,
      generation: row.generation,
      acceptedAt: row.accepted_at,
      runsAt: row.runs_at,
      firstRunsAt: row.first_runs_at,
      expiresAt: row.expires_at,
      notAfter: row.not_after,
      paused: row.paused,
      zoneDataInForce: row.zone_data_version,
      hours,
      callerId: callerIdCandidatesOf(row, picks),
      guardrails: {
        ...guardrailsOf(counted, rangeOf(row.phone_number, teamRulesOf(row)), row.counted_this_month, hours, {
          agentId: row.agent_id,
          campaignId: null,
        }),
        compliance: complianceOf(row.compliance, this.packs, called, erased.callsTo(numberOf(row))),
      },
      concurrencySlots: {
        limit: row.max_concurrent_calls,
        active: (row.active_calls ?? 0) + claims.of(row.team_id),
        olderWaiting: (row.older_waiting ?? 0) + waiting.of(row.team_id),
      },
    };
  }

  /** Adds the effects of a decision to the facts of later commands. */
  add(row: FireFactsRow, decision: DecisionWithCarrier): void {
    const { planUsed, claims, waiting, picks } = this.effects;
    if (decision.kind === 'waiting' && !row.waiting) waiting.add(row.team_id);
    if (decision.kind !== 'claimed') return;
    picks.add(decision.callerId);
    claims.add(row.team_id);
    if (!row.counted_this_month) planUsed.add(row.team_id);
    if (row.waiting) waiting.add(row.team_id, -1);
  }
}

function numberOf({ team_id: teamId, phone_number: phoneNumber }: FireFactsRow): NumberOfTeam {
  return { teamId, phoneNumber };
}

/** Orders calls as they get concurrency slots. */
function compareAges(one: FireFactsRow | undefined, other: FireFactsRow | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  return (
    one.runs_at.getTime() - other.runs_at.getTime() || Number(one.id > other.id) - Number(one.id < other.id)
  );
}

/** @param picks how often the earlier claims of the batch have picked each number. */
function callerIdCandidatesOf(row: FireFactsRow, picks: ReadonlyMap<string, number>): CallerIdCandidates {
  return {
    ...agentCallerIdsOf(row, picks),
    requestPool: poolPick(row.request_number_pool_id, row, picks),
    fromNumber: numberPick(row.from_phone_number, row.from_number_usable),
  };
}
