import { type Statement } from '../../database/transactions.js';

/*
 * These statements cross teams, so they use security-definer functions. Their cost does not depend on the
 * number of enrollments that wait.
 */

/** Campaigns that may dial and have an enrollment whose dial is due. */
export const FIND_DIALING_CAMPAIGNS: Statement = {
  name: 'find_dialing_campaigns',
  text: 'SELECT id, team_id, weight FROM find_dialing_campaigns()',
};

/** A campaign with enrollments that are to be decided without a dial. */
export interface SettlingRow extends Record<string, unknown> {
  id: string;
  /** Whether something has happened to an enrollment, or a clock has run out that needs no concurrency slot. */
  settles: boolean;
  /** Whether the dial of an enrollment is due that was not decided since, and has to wait. */
  unseen: boolean;
}

/** $1 campaigns whose due dials have to wait. */
export const FIND_SETTLING_CAMPAIGNS: Statement = {
  name: 'find_settling_campaigns',
  text: 'SELECT id, settles, unseen FROM find_settling_campaigns($1)',
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
