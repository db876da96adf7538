import { type Statement } from '../../database/transactions.js';

/*
 * Statements that remove rows whose retention is over. They cross teams, so they are functions of the
 * database. A statement that removes single rows takes a bounded batch and skips rows that another process
 * has locked.
 */

/** Teams that may have calls to remove. $1 team to begin after, $2 batch size. */
export const TEAMS_WITH_OLD_CALLS: Statement = {
  name: 'teams_with_old_calls',
  text: 'SELECT id FROM teams_with_old_calls($1, $2)',
};

export interface RemovedCallsRow extends Record<string, unknown> {
  /** How many calls were examined. If there are fewer than the batch, the team has no more. */
  looked_at: number;
  removed: number;
  /** The number of removed rows of `call_details`. */
  details: number;
  /** Of the last examined call; null if there was none. As text, because a `Date` has no microseconds. */
  accepted_at: string | null;
  id: string | null;
}

/** Removes ended calls of a team. $1 team, $2 and $3 accepted_at and id to begin after, $4 batch size. */
export const REMOVE_ENDED_CALLS: Statement = {
  name: 'remove_ended_calls',
  text: `
    SELECT looked_at, removed, details, accepted_at::text AS accepted_at, id FROM remove_ended_calls($1, $2, $3, $4)`,
};

/**
 * Drops the details of the oldest month if no call of that month must be kept. `details` is about how many
 * rows were dropped; null if none were.
 */
export const DROP_OLD_CALL_MONTH: Statement = {
  name: 'drop_old_call_month',
  text: 'SELECT drop_old_call_month() AS details',
};

/** Makes partitions for the details of calls of the months ahead. */
export const MAKE_CALL_MONTHS: Statement = {
  name: 'make_call_months',
  text: 'SELECT make_call_months()',
};

/** Removes counts of months that no rule reads any more. $1 batch size. */
export const REMOVE_OLD_PLAN_USAGE: Statement = {
  name: 'remove_old_plan_usage',
  text: 'SELECT remove_old_plan_usage($1) AS removed',
};

export interface RemovedAnswersRow extends Record<string, unknown> {
  removed: number;
  /** Of the youngest removed answer; null if none was removed. */
  created_at: string | null;
}

/**
 * Removes the answers to idempotency keys that are older than 24 hours, of all teams. $1 created_at to begin
 * at, $2 batch size.
 */
export const REMOVE_OLD_ANSWERS: Statement = {
  name: 'remove_old_answers',
  text: 'SELECT removed, created_at::text AS created_at FROM remove_old_answers($1, $2)',
};

/**
 * Removes sessions and links of people that are over. $1 and $2 how long a session lasts without a request, and at
 * most; $3 batch size.
 */
export const REMOVE_ENDED_ACCESS: Statement = {
  name: 'remove_ended_access',
  text: 'SELECT remove_ended_access($1, $2, $3) AS removed',
};
