import { type Statement } from '../../database/transactions.js';

/*
 * These statements cross teams, so they use security-definer functions. Their cost does not depend on the
 * number of enrollments that wait.
 */

/** Campaigns with an enrollment that is due to be decided. */
export const FIND_DUE_CAMPAIGNS: Statement = {
  name: 'find_due_campaigns',
  text: 'SELECT id, team_id, weight FROM find_due_campaigns()',
};

/** Makes enrollments due if the pause that held them has ended. $1 batch size for each campaign. */
export const RELEASE_PAUSED: Statement = {
  name: 'release_paused_enrollments',
  text: 'SELECT release_paused_enrollments($1) AS released',
};

/** Ends the live enrollments of archived campaigns. $1 batch size for each version. */
export const END_ARCHIVED: Statement = {
  name: 'end_archived_enrollments',
  text: 'SELECT end_archived_enrollments($1) AS ended',
};

/** Adds recorded changes to the counts of campaigns. $1 the most changes that it adds. */
export const FOLD_COUNTS: Statement = {
  name: 'fold_campaign_counts',
  text: 'SELECT fold_campaign_counts($1) AS folded',
};
