import { type Statement } from '../../database/transactions.js';
import { CLOCK, isActiveCall, ofManyNumbers } from '../facts/facts.sql.js';

/*
 * The limits of teams' carrier accounts. A transaction that claims a call of a limited account holds the account's
 * lock, and counts in a later statement, which sees what the holder before it wrote.
 */

/** SQL column: whether the account of the agent `a` has a limit. Without an account, nothing is read. */
export const ACCOUNT_LIMITED = `
      CASE WHEN a.carrier_account_id IS NOT NULL THEN (
        SELECT x.max_concurrent IS NOT NULL OR x.calls_per_second IS NOT NULL FROM carrier_accounts x
        WHERE x.team_id = a.team_id AND x.id = a.carrier_account_id) END IS TRUE AS account_limited`;

const LOCKED =
  'FROM (SELECT DISTINCT each AS id FROM unnest($1::uuid[]) AS each ORDER BY 1 OFFSET 0) account';

/** Tries the locks of accounts without waiting. Returns those that are held. $1 accounts. */
export const TRY_LOCKS_OF_ACCOUNTS: Statement = {
  name: 'try_locks_of_accounts',
  text: `
    SELECT tried.id FROM (
      SELECT account.id, pg_try_advisory_xact_lock(carrier_account_lock_key(account.id)) AS locked ${LOCKED} OFFSET 0) tried
    WHERE tried.locked`,
};

/** Waits for the locks of accounts, in ascending order. Returns all of them. $1 accounts. */
export const LOCK_ACCOUNTS: Statement = {
  name: 'lock_accounts',
  text: `SELECT account.id, pg_advisory_xact_lock(carrier_account_lock_key(account.id)) ${LOCKED}`,
};

/** An account with limits, and what they allow. Durations are in milliseconds from `now`. */
export interface LimitedAccountRow extends Record<string, unknown> {
  id: string;
  team_id: string;
  now: Date;
  max_concurrent: number | null;
  calls_per_second: number | null;
  /** The active calls of the account's agents; null without `max_concurrent`. */
  active: number | null;
  /** Until the next dial that the calls per second allow; negative: it may be now. */
  paced_ms: number;
  /** Until the last waiting triggered call is decided again; negative: none waits. */
  calls_wait_ms: number;
}

const msUntil = (instant: string) =>
  `coalesce(extract(epoch FROM ${instant} - clock.now) * 1000, -1)::float8`;

/**
 * What the limits of accounts allow. A call counts for the account that its agent names. $1 accounts, $2 how long a
 * call may last in ms.
 */
export const LIMITED_ACCOUNTS: Statement = {
  name: 'limited_accounts',
  text: `
    WITH ${CLOCK}
    SELECT x.id, x.team_id, clock.now, x.max_concurrent, x.calls_per_second,
      CASE WHEN x.max_concurrent IS NOT NULL THEN (
        SELECT count(*)::integer FROM call_requests b
        JOIN voice_agents v ON v.team_id = b.team_id AND v.id = b.agent_id AND v.carrier_account_id = x.id
        WHERE b.team_id = x.team_id AND ${isActiveCall('b')} AND ${ofManyNumbers('b')}
          AND (b.status <> 'dial_unknown' OR b.claimed_at > clock.now - $2::float8 * interval '1 ms')) END AS active,
      ${msUntil('u.paced_until')} AS paced_ms, ${msUntil('u.calls_wait_until')} AS calls_wait_ms
    FROM clock CROSS JOIN carrier_accounts x
    LEFT JOIN carrier_account_turns u ON u.account_id = x.id
    WHERE x.id = ANY($1::uuid[])`,
};

/** A row of {@link KEEP_TURNS}. */
export interface KeptTurn {
  account_id: string;
  team_id: string;
  paced_until: Date;
  calls_wait_until: Date;
}

/** Keeps the turns of accounts whose locks are held. $1 an array of {@link KeptTurn} as JSON. */
export const KEEP_TURNS: Statement = {
  name: 'keep_turns',
  text: `
    INSERT INTO carrier_account_turns (account_id, team_id, paced_until, calls_wait_until)
    SELECT k.account_id, k.team_id, k.paced_until, k.calls_wait_until
    FROM json_to_recordset($1) AS k (account_id uuid, team_id uuid, paced_until timestamptz, calls_wait_until timestamptz)
    ON CONFLICT (account_id) DO UPDATE SET
      paced_until = excluded.paced_until, calls_wait_until = excluded.calls_wait_until`,
};
