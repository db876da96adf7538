import { type Statement } from '../../database/transactions.js';

/*
 * These queries cross teams, so they are security-definer functions. Their cost does not depend on the number
 * of waiting enrollments.
 */

/** Campaigns with an enrollment that is due to be decided. */
export const FIND_DUE_CAMPAIGNS: Statement = {
  name: 'find_due_campaigns',
  text: 'SELECT id, team_id, weight FROM find_due_campaigns()',
};

/** Makes enrollments due that were held by a pause that is over. $1 batch size for each campaign. */
export const RELEASE_PAUSED: Statement = {
  name: 'release_paused_enrollments',
  text: 'SELECT release_paused_enrollments($1) AS released',
};

/** $1 batch size for each version of an archived campaign. */
export const END_ARCHIVED: Statement = {
  name: 'end_archived_enrollments',
  text: 'SELECT end_archived_enrollments($1) AS ended',
};

/** Adds what has changed to the counts of campaigns. $1 how many changes at most. */
export const FOLD_COUNTS: Statement = {
  name: 'fold_campaign_counts',
  text: 'SELECT fold_campaign_counts($1) AS folded',
};
