import { type QueryResult, type QueryResultRow } from 'pg';
import {
  type OpenTransaction,
  type Query,
  query,
  type TransactionStep,
} from '../../database/transactions.js';
import {
  KEEP_TURNS,
  type KeptTurn,
  LIMITED_ACCOUNTS,
  type LimitedAccountRow,
  LOCK_ACCOUNTS,
  TRY_LOCKS_OF_ACCOUNTS,
} from './account-limits.sql.js';

/**
 * How far ahead of its dial a call is claimed, in milliseconds. A claimed call keeps a dial of its worker until then,
 * so the calls of an account that wait in this way are also at most {@link MOST_AHEAD}.
 */
const HORIZON_MS = 250;
const MOST_AHEAD = 16;
/** How soon the first call that waits for an account with too many active calls is decided again. */
const FIRST_LOOK_MS = 500;
/** The waiting calls of an account are decided again one after the other, this many a second. */
const LOOKS_PER_SECOND = { least: 4, most: 100 };
/** The longest wait until the next decision. Calls beyond it are spread over its second half. */
const LONGEST_WAIT_MS = 300_000;

/** Whether the limits of an account allow a call now. */
export type AccountRoom =
  /** The call is dialed at `dialAt` by the monotonic clock; undefined: at once. */
  | { kind: 'free'; dialAt?: number }
  /** The account has as many active calls as it may, or triggered calls wait for it. */
  | { kind: 'concurrency' }
  /** Its calls per second allow the next claim in `againMs`. */
  | { kind: 'pacing'; againMs: number };

/** What the decisions of a batch read of a call's account. */
export interface CallOfAccount {
  carrier_account_id: string | null;
  account_limited: boolean;
}

interface State {
  row: LimitedAccountRow;
  active: number;
  pacedMs: number;
  callsWaitMs: number;
  changed: boolean;
}

/**
 * The limits of the accounts of a batch, with the effects of its decisions. Most batches have no call of a limited
 * account: for these nothing is read.
 */
export class AccountLimits {
  private readonly accounts: Map<string, State>;
  private readonly readAt = performance.now();

  /** @param rows of the accounts whose locks are held. */
  constructor(rows: readonly LimitedAccountRow[] = []) {
    this.accounts = new Map(
      rows.map((row) => [
        row.id,
        {
          row,
          active: row.active ?? 0,
          pacedMs: row.paced_ms,
          callsWaitMs: row.calls_wait_ms,
          changed: false,
        },
      ]),
    );
  }

  /** Whether the call can be decided: its account has no limit, or its lock is held. */
  allowsDecision(call: CallOfAccount): boolean {
    return !call.account_limited || this.stateOf(call) !== undefined;
  }

  /** @param yields whether triggered calls that wait for the account come before this call. */
  roomFor(call: CallOfAccount, yields = false): AccountRoom {
    const state = this.stateOf(call);
    if (state === undefined) return { kind: 'free' };
    const { row, active, pacedMs, callsWaitMs } = state;
    if (row.max_concurrent !== null && active >= row.max_concurrent) return { kind: 'concurrency' };
    if (row.calls_per_second === null) {
      return yields && callsWaitMs > 0 ? { kind: 'concurrency' } : { kind: 'free' };
    }
    const horizon = Math.min(HORIZON_MS, (MOST_AHEAD * 1_000) / row.calls_per_second);
    // Triggered calls take the turns until `callsWaitMs`.
    const aheadMs = yields ? Math.max(pacedMs, callsWaitMs) : pacedMs;
    if (aheadMs > horizon) return { kind: 'pacing', againMs: aheadMs - horizon / 2 };
    return pacedMs > 0 ? { kind: 'free', dialAt: this.readAt + pacedMs } : { kind: 'free' };
  }

  /** Adds a claim to what later decisions of the batch read. */
  claim(call: CallOfAccount): void {
    const state = this.stateOf(call);
    if (state === undefined) return;
    state.active += 1;
    const { calls_per_second: perSecond } = state.row;
    if (perSecond === null) return;
    state.pacedMs = Math.max(0, state.pacedMs) + 1_000 / perSecond;
    state.changed = true;
  }

  /**
   * Gives a triggered call its turn for the next decision, after all others that wait for its account.
   *
   * @returns how many milliseconds it waits.
   */
  waitMs(call: CallOfAccount, room: AccountRoom): number {
    const state = this.stateOf(call);
    if (state === undefined) return FIRST_LOOK_MS;
    const { max_concurrent: most, calls_per_second: perSecond } = state.row;
    const { least, most: mostLooks } = LOOKS_PER_SECOND;
    const looks = most === null ? Infinity : Math.min(Math.max(most, least), mostLooks);
    const stepMs = 1_000 / Math.min(looks, perSecond ?? Infinity);
    const firstMs = room.kind === 'pacing' ? room.againMs : FIRST_LOOK_MS;
    const turnMs = Math.max(firstMs, state.callsWaitMs + stepMs);
    if (turnMs > LONGEST_WAIT_MS) return Math.ceil(LONGEST_WAIT_MS * (0.5 + Math.random() / 2));
    state.callsWaitMs = turnMs;
    state.changed = true;
    return Math.ceil(turnMs);
  }

  /** What the commit of the batch writes. */
  writes(): Query[] {
    const turns = [...this.accounts.values()].flatMap(
      ({ row, pacedMs, callsWaitMs, changed }): KeptTurn[] => {
        if (!changed) return [];
        const at = (ms: number) => new Date(row.now.getTime() + ms);
        return [
          {
            account_id: row.id,
            team_id: row.team_id,
            paced_until: at(pacedMs),
            calls_wait_until: at(callsWaitMs),
          },
        ];
      },
    );
    return turns.length === 0 ? [] : [query(KEEP_TURNS, JSON.stringify(turns))];
  }

  private stateOf({ carrier_account_id: id, account_limited: limited }: CallOfAccount): State | undefined {
    return limited && id !== null ? this.accounts.get(id) : undefined;
  }
}

/**
 * Reads the limits of the calls' accounts, in a further round trip, if any of them has a limit.
 *
 * @param waits whether the transaction waits for the locks of the accounts. Otherwise it only tries them.
 */
export async function findAccountLimits(
  transaction: OpenTransaction,
  calls: Iterable<CallOfAccount>,
  callTimeLimitMs: number,
  waits: boolean,
): Promise<AccountLimits> {
  const ids = limitedAccountsOf(calls);
  if (ids.length === 0) return new AccountLimits();
  return limitsIn(await transaction.send(queries(ids, callTimeLimitMs, waits)));
}

/** {@link findAccountLimits} as a step of a transaction, which only tries the locks. */
export function readAccountLimits<T>(
  calls: Iterable<CallOfAccount>,
  callTimeLimitMs: number,
  decide: (limits: AccountLimits) => TransactionStep<T>,
): TransactionStep<T> {
  const ids = limitedAccountsOf(calls);
  if (ids.length === 0) return decide(new AccountLimits());
  return {
    next: queries(ids, callTimeLimitMs, false),
    decide: (results) => decide(limitsIn(results)),
  };
}

function limitedAccountsOf(calls: Iterable<CallOfAccount>): string[] {
  const ids = new Set<string>();
  for (const { carrier_account_id: id, account_limited: limited } of calls) if (limited && id) ids.add(id);
  return [...ids];
}

function queries(ids: string[], callTimeLimitMs: number, waits: boolean): Query[] {
  const locks = waits ? LOCK_ACCOUNTS : TRY_LOCKS_OF_ACCOUNTS;
  return [query(locks, ids), query(LIMITED_ACCOUNTS, ids, callTimeLimitMs)];
}

function limitsIn([locked, found]: QueryResult<QueryResultRow>[]): AccountLimits {
  const held = new Set((locked?.rows as { id: string }[] | undefined)?.map(({ id }) => id));
  return new AccountLimits(((found?.rows ?? []) as LimitedAccountRow[]).filter(({ id }) => held.has(id)));
}
