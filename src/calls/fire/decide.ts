import { done, type Outcome, RETRY } from '../../database/batch-work.js';
import { type Plan, type Query, query } from '../../database/transactions.js';
import { type CallState, type HistoryEntry, PENDING_STATES } from '../../domain/call-states.js';
import { type Decision } from '../../domain/guardrails/guardrails.js';
import { type CallCause } from '../../domain/narrator/labels.js';
import { type DialJob } from '../../queue/call-jobs.js';
import { type ClaimedCall } from '../dial/dial.service.js';
import { END_PENDING } from '../shared/end-pending.sql.js';
import { CLAIM, type FireFactsRow, type NewClaim } from './fire.sql.js';

/** What came of a wake-up; `early` and `put_off` ask for another one in `delayMs`. */
export type FireResult =
  | { kind: 'ignored'; why: 'not_found' | 'not_pending' | 'old_generation' | 'paused' | 'lost_claim' }
  | { kind: 'early'; delayMs: number }
  /** Its carrier is away; another wake-up in `delayMs`. */
  | { kind: 'put_off'; delayMs: number }
  /** The agent has another carrier by now, which is asked in its own turn. */
  | { kind: 'other_carrier'; carrier: string }
  | { kind: 'expired' | 'blocked' | 'rescheduled' | 'waiting' | 'dialed' };

/** What is left to do after the commit. */
export type Next = {
  result: FireResult;
  /** Why the call was blocked. */
  reason?: string;
  wake?: { job: DialJob; delayMs: number };
  dial?: ClaimedCall;
  /** The team that has a line for another call, because this one needs none any more. */
  lineOf?: string;
};

/** What is to be written about a call. */
export type Verdict =
  | { kind: 'nothing'; next: Next }
  | { kind: 'claim'; claim: NewClaim; won: () => Next }
  /** The statement gives a row if, and only if, it changed the call. */
  | { kind: 'change'; change: Query; changed: (row: unknown) => Next };

export function ignored(why: (FireResult & { kind: 'ignored' })['why']): Next {
  return { result: { kind: 'ignored', why } };
}

/** Writes all of it, the claims in one statement. @param verdicts null: nothing was decided, and nothing is written. */
export function carryOut(verdicts: (Verdict | null)[]): Plan<Outcome<Next>[]> {
  const judged = verdicts.filter((verdict) => verdict !== null);
  const claims = judged.flatMap((verdict) => (verdict.kind === 'claim' ? [verdict.claim] : []));
  const changes = judged.flatMap((verdict) => (verdict.kind === 'change' ? [verdict.change] : []));
  const commit = [
    ...changes,
    ...(claims.length === 0 ? [] : [query(CLAIM, JSON.stringify(claims), PENDING_STATES)]),
  ];
  if (commit.length === 0) return { rollback: outcomesOf(verdicts, [], new Set()) };
  return {
    commit,
    value: (results) => {
      const rows = results.map((result) => result.rows as unknown[]);
      const claimed = (rows[changes.length] ?? []) as { id: string }[];
      return outcomesOf(verdicts, rows, new Set(claimed.map(({ id }) => id)));
    },
  };
}

/** @param changed the rows of each change, in order. @param claimed the ids of the calls that are ours. */
function outcomesOf(
  verdicts: (Verdict | null)[],
  changed: unknown[][],
  claimed: Set<string>,
): Outcome<Next>[] {
  const changes = changed.values();
  return verdicts.map((verdict) => {
    if (verdict === null) return RETRY;
    switch (verdict.kind) {
      case 'nothing':
        return done(verdict.next);
      case 'claim':
        return done(claimed.has(verdict.claim.id) ? verdict.won() : ignored('lost_claim'));
      case 'change': {
        const [row] = changes.next().value ?? [];
        return done(row === undefined ? ignored('lost_claim') : verdict.changed(row));
      }
    }
  });
}

export function nothing(next: Next): Verdict {
  return { kind: 'nothing', next };
}

export function ended(change: Query, next: Next): Verdict {
  return { kind: 'change', change, changed: () => next };
}

/** Ends the call as long as it has the generation that was judged. */
export function endPending(
  row: FireFactsRow,
  status: 'expired' | 'blocked',
  cause: CallCause,
  reason: string | null = null,
  decisions: Decision[] = [],
): Query {
  const move = entry(row, status, cause);
  const judged = JSON.stringify(decisions);
  const { id, generation, now } = row;
  return query(END_PENDING, id, generation, status, reason, now, move, judged, PENDING_STATES);
}

/** The statement itself fills in `from`. */
export function entryOf(row: FireFactsRow, to: CallState, cause: CallCause): HistoryEntry {
  return { at: row.now.toISOString(), from: null, to, cause };
}

export function entry(row: FireFactsRow, to: CallState, cause: CallCause): string {
  return JSON.stringify(entryOf(row, to, cause));
}
