import { type Statement } from '../database/transactions.js';

/** `first` and `noticed` are returned once, `waiting` until the platform is resumed. */
export type IdentityCheck = 'first' | 'same' | 'noticed' | 'waiting';

/**
 * Compares the database with the stored identity. If the database was restored, the statement pauses the
 * platform.
 */
export const CHECK_DATABASE_IDENTITY: Statement = {
  name: 'check_database_identity',
  text: 'SELECT check_database_identity() AS is',
};

/**
 * Moves a batch of pending calls that may have been dialed after the backup to `dial_unknown`. $1 default
 * carrier, $2 batch size.
 */
export const HOLD_RESTORED_CALLS: Statement = {
  name: 'hold_restored_calls',
  text: 'SELECT hold_restored_calls($1, $2) AS held',
};

/** Counts the calls that {@link HOLD_RESTORED_CALLS} has not moved yet. */
export const COUNT_RESTORED_CALLS: Statement = {
  name: 'count_restored_calls',
  text: 'SELECT count_restored_calls() AS calls',
};

/** A restore after which the platform was not resumed yet. */
export const RESTORE_STATE = `
  SELECT restored_at AS "restoredAt", newest_row_at AS "newestRowAt", outdial_now() AS now
  FROM database_identity WHERE restored_at IS NOT NULL`;

/**
 * Calls without a known end that were accepted before the restore was noticed. They were active at the
 * backup, or may have been dialed after it. $1 how many ids to return.
 */
export const CALLS_TO_CHECK = `
  WITH open AS (
    SELECT r.id, r.claimed_at FROM call_requests r JOIN database_identity d ON r.accepted_at < d.restored_at
    WHERE r.phase = 1 AND r.generation >= 0
  )
  SELECT (SELECT count(*)::integer FROM open) AS count,
    ARRAY(SELECT id::text FROM open ORDER BY claimed_at DESC, id LIMIT $1) AS ids`;

export const FORGET_RESTORE = 'UPDATE database_identity SET restored_at = NULL, newest_row_at = NULL';
