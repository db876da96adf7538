import { ALONE } from '../database/batcher.js';
import { type Plan, type Query, query } from '../database/transactions.js';
import { PENDING_STATES } from '../domain/call-states.js';
import { type DialJob } from '../queue/call-jobs.js';
import { type ClaimedCall } from './dial.service.js';
import { CLAIM, type NewClaim } from './sql/fire.sql.js';

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

/** Writes all of it, the claims in one statement; nothing about those that say {@link ALONE}. */
export function carryOut(verdicts: (Verdict | typeof ALONE)[]): Plan<(Next | typeof ALONE)[]> {
  const judged = verdicts.filter((verdict) => verdict !== ALONE);
  const claims = judged.flatMap((verdict) => (verdict.kind === 'claim' ? [verdict.claim] : []));
  const changes = judged.flatMap((verdict) => (verdict.kind === 'change' ? [verdict.change] : []));
  const commit = [
    ...changes,
    ...(claims.length === 0 ? [] : [query(CLAIM, JSON.stringify(claims), PENDING_STATES)]),
  ];
  if (commit.length === 0) return { rollback: nextOf(verdicts, [], new Set()) };
  return {
    commit,
    value: (results) => {
      const rows = results.map((result) => result.rows as unknown[]);
      const claimed = (rows[changes.length] ?? []) as { id: string }[];
      return nextOf(verdicts, rows, new Set(claimed.map(({ id }) => id)));
    },
  };
}

/** @param changed the rows of each change, in order. @param claimed the ids of the calls that are ours. */
function nextOf(
  verdicts: (Verdict | typeof ALONE)[],
  changed: unknown[][],
  claimed: Set<string>,
): (Next | typeof ALONE)[] {
  const changes = changed.values();
  return verdicts.map((verdict) => {
    if (verdict === ALONE) return ALONE;
    switch (verdict.kind) {
      case 'nothing':
        return verdict.next;
      case 'claim':
        return claimed.has(verdict.claim.id) ? verdict.won() : ignored('lost_claim');
      case 'change': {
        const [row] = changes.next().value ?? [];
        return row === undefined ? ignored('lost_claim') : verdict.changed(row);
      }
    }
  });
}
