import { exactInstant } from '../../lists/newest-first.js';
import { type Statement } from '../../database/transactions.js';
import { CAMPAIGN_STATS, FIGURES_OF_ENROLLMENT } from '../admin/campaign-stats.sql.js';
import { SET_ENROLLMENT_STATUS } from './enrollment-status.sql.js';

/* The statements for requests with a team's API key. Columns have the names of the entities' properties. */

const CAMPAIGN_COLUMNS = `p.id, p.name, p.status, p.current_version_id AS "currentVersionId", p.pacing, p.reentry, p.purpose,
      p.created_at AS "createdAt",
      (SELECT v.id FROM campaign_versions v WHERE v.campaign_id = p.id AND v.status = 'draft') AS "draftVersionId"`;

/**
 * A page of a team's campaigns, the newest first. $1 team, $2 instant and $3 id to begin after, $4 how many.
 */
export const CAMPAIGNS_OF_TEAM: Statement = {
  name: 'campaigns_of_team',
  text: `
    SELECT ${exactInstant('p.created_at')} AS at, p.id AS key, ${CAMPAIGN_COLUMNS} FROM campaigns p
    WHERE p.team_id = $1 AND (p.created_at, p.id) < ($2::timestamptz, $3::uuid)
    ORDER BY p.created_at DESC, p.id DESC
    LIMIT $4`,
};

/** $1 team, $2 campaign. */
export const CAMPAIGN_OF_TEAM: Statement = {
  name: 'campaign_of_team',
  text: `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns p WHERE p.team_id = $1 AND p.id = $2`,
};

/** As {@link CAMPAIGN_STATS}. */
export const STATS_OF_TEAM: Statement = { name: 'campaign_stats', text: CAMPAIGN_STATS };

/** $1 team, $2 campaign. */
export const VERSION_NUMBERS: Statement = {
  name: 'version_numbers',
  text: 'SELECT v.id, v.number FROM campaign_versions v WHERE v.team_id = $1 AND v.campaign_id = $2',
};

/** $1 team, $2 enrollment. */
export const ENROLLMENT_OF_TEAM: Statement = {
  name: 'enrollment_of_team',
  text: `
    SELECT e.id, e.campaign_id AS "campaignId", e.contact_id AS "contactId", e.version_id AS "versionId", e.entry, e.status, e.source,
      e.end_reason AS "endReason", e.step, e.next_attempt_at AS "nextAttemptAt", e.waiting_for AS "waitingFor", e.timeline,
      e.created_at AS "createdAt", e.updated_at AS "updatedAt"
    FROM enrollments e WHERE e.team_id = $1 AND e.id = $2`,
};

/** $1 enrollment. */
export const FIGURES_OF_TEAM: Statement = { name: 'figures_of_enrollment', text: FIGURES_OF_ENROLLMENT };

/** As {@link SET_ENROLLMENT_STATUS}. */
export const SET_STATUS_OF_TEAM: Statement = { name: 'move_enrollment', text: SET_ENROLLMENT_STATUS };
