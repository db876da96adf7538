import { done, type ItemResult, RETRY } from '../../database/batch-work.js';
import { type OpenTransaction, type Query, query } from '../../database/transactions.js';
import { type CallState, type HistoryEntry, PENDING_STATES } from '../../domain/call-states.js';
import { type Decision } from '../../domain/guardrails/guardrails.js';
import { type CallCause } from '../../domain/call-causes.js';
import { WAIT_FOR_CONCURRENCY_SLOT } from '../../dialing/concurrency-slots/concurrency-slots.sql.js';
import { END_PENDING } from '../../dialing/outcome/end-pending.sql.js';
import { claimOf } from '../../dialing/claim/claim.js';
import { type FireCommand, type FireOutcome, type FireResult } from './command.js';
import { type DecisionWithCarrier } from '../../dialing/claim/decide.js';
import { CLAIM, type NewClaim } from '../../dialing/claim/claim.sql.js';
import { type FireFactsRow, PUT_OFF, RESCHEDULE } from './fire.sql.js';

/** The decision about a wake-up. Without a `row`, the call does not exist. */
export type DecidedFiring =
  | { command: FireCommand; row: FireFactsRow; decision: DecisionWithCarrier }
  | { command: FireCommand; row: undefined };

/** The write that a decision requires. */
type Write =
  | { kind: 'nothing'; outcome: FireOutcome }
  | { kind: 'claim'; claim: NewClaim; outcome: FireOutcome }
  /** The statement returns a row if, and only if, it changed the call. */
  | { kind: 'change'; change: Query; outcomeOf: (row: unknown) => FireOutcome };

/**
 * Writes all decisions of a batch, the claims in one statement, and commits. If there is nothing to write, the
 * transaction is left to be rolled back.
 *
 * @param decided a decision for each command; null: nothing was decided, and nothing is written.
 * @param more writes about the calls' carrier accounts.
 */
export async function persist(
  transaction: OpenTransaction,
  decided: (DecidedFiring | null)[],
  more: Query[] = [],
): Promise<ItemResult<FireOutcome>[]> {
  const writes = decided.map((one) => (one === null ? null : writeOf(one)));
  const claims = writes.flatMap((write) => (write?.kind === 'claim' ? [write.claim] : []));
  const changes = writes.flatMap((write) => (write?.kind === 'change' ? [write.change] : []));
  const queries = [
    ...changes,
    ...(claims.length === 0 ? [] : [query(CLAIM, JSON.stringify(claims), PENDING_STATES)]),
    ...more,
  ];
  if (queries.length === 0) return outcomesOf(writes, [], new Set());
  const results = await transaction.commit(queries);
  const rows = results.map((result) => result.rows as unknown[]);
  const claimed = (claims.length === 0 ? [] : rows[changes.length]) as { id: string }[];
  return outcomesOf(writes, rows, new Set(claimed.map(({ id }) => id)));
}

/**
 * @param changed the rows of each change, in order.
 * @param claimed the ids of the calls whose claim was won.
 */
function outcomesOf(
  writes: (Write | null)[],
  changed: unknown[][],
  claimed: Set<string>,
): ItemResult<FireOutcome>[] {
  const changes = changed.values();
  return writes.map((write) => {
    if (write === null) return RETRY;
    switch (write.kind) {
      case 'nothing':
        return done(write.outcome);
      case 'claim':
        return done(claimed.has(write.claim.id) ? write.outcome : ignored('lost_claim'));
      case 'change': {
        const [row] = changes.next().value ?? [];
        return done(row === undefined ? ignored('lost_claim') : write.outcomeOf(row));
      }
    }
  });
}

function writeOf(decided: DecidedFiring): Write {
  if (decided.row === undefined) return nothing(ignored('not_found'));
  const { command, row, decision } = decided;
  const { id, generation, now } = row;
  const freedConcurrencySlotOf = row.waiting ? row.team_id : undefined;
  switch (decision.kind) {
    case 'ignored':
      return nothing(ignored(decision.why));
    case 'early':
      return nothing({ result: { kind: 'early', delayMs: decision.delayMs } });
    case 'old_zone_data':
      return nothing({ result: { kind: 'early', delayMs: decision.delayMs }, reason: 'OLD_ZONE_DATA' });
    case 'other_carrier':
      return nothing({ result: { kind: 'other_carrier', carrier: decision.carrier } });
    case 'expired':
      return change(endPending(row, 'expired', decision.cause), {
        result: { kind: 'expired' },
        freedConcurrencySlotOf,
      });
    case 'blocked': {
      const { reason } = decision;
      const end = endPending(row, 'blocked', reason, reason, [decision.decision]);
      return change(end, { result: { kind: 'blocked' }, reason, freedConcurrencySlotOf });
    }
    case 'rescheduled': {
      const { runsAt, expiresAt } = decision;
      const kept = decision.decision === undefined ? null : JSON.stringify(decision.decision);
      const entry = JSON.stringify(entryOf(row, 'scheduled', 'outside_calling_hours'));
      return {
        kind: 'change',
        change: query(RESCHEDULE, id, generation, runsAt, expiresAt, now, entry, PENDING_STATES, kept),
        outcomeOf: (changed) => {
          const { generation: next } = changed as { generation: number };
          const job = { ...command.job, generation: next, teamId: row.team_id };
          const wake = { job, delayMs: runsAt.getTime() - now.getTime() };
          return { result: { kind: 'rescheduled' }, wake, freedConcurrencySlotOf };
        },
      };
    }
    case 'waiting':
      return change(query(WAIT_FOR_CONCURRENCY_SLOT, id, generation, now, PENDING_STATES), {
        result: { kind: 'waiting' },
        reason: 'MAX_CONCURRENT_CALLS',
      });
    case 'zone_unknown':
    case 'put_off': {
      const { kind, delayMs } = decision;
      return change(query(PUT_OFF, id, generation, now, delayMs, PENDING_STATES), {
        result: { kind: 'put_off', delayMs },
        reason: kind === 'put_off' ? decision.why : 'ZONE_UNKNOWN',
        freedConcurrencySlotOf,
      });
    }
    case 'claimed':
      return claim(command, row, decision);
  }
}

function claim(
  { job, heldPacingSlot: held }: FireCommand,
  row: FireFactsRow,
  decision: DecisionWithCarrier & { kind: 'claimed' },
): Write {
  const pacingSlot = held?.carrier === decision.carrier ? held.pacingSlot : undefined;
  const { dialAt } = decision;
  const claimed = claimOf(row, decision, { pacingSlot, requestId: job.requestId, dialAt });
  const lateSeconds = (row.now.getTime() - row.runs_at.getTime()) / 1_000;
  return {
    kind: 'claim',
    claim: claimed.claim,
    outcome: { result: { kind: 'claimed' }, claim: { from: row.status, lateSeconds, call: claimed.call } },
  };
}

function ignored(why: (FireResult & { kind: 'ignored' })['why']): FireOutcome {
  return { result: { kind: 'ignored', why } };
}

function nothing(outcome: FireOutcome): Write {
  return { kind: 'nothing', outcome };
}

function change(query: Query, outcome: FireOutcome): Write {
  return { kind: 'change', change: query, outcomeOf: () => outcome };
}

/** Ends the call if it still has the generation that the decision is about. */
function endPending(
  row: FireFactsRow,
  status: 'expired' | 'blocked',
  cause: CallCause,
  reason: string | null = null,
  decisions: Decision[] = [],
): Query {
  const { id, generation, now } = row;
  const entry = JSON.stringify(entryOf(row, status, cause));
  return query(
    END_PENDING,
    id,
    generation,
    status,
    reason,
    now,
    entry,
    JSON.stringify(decisions),
    PENDING_STATES,
  );
}

/** The statement itself fills in `from`. */
function entryOf(row: FireFactsRow, to: CallState, cause: CallCause): HistoryEntry {
  return { at: row.now.toISOString(), from: null, to, cause };
}
