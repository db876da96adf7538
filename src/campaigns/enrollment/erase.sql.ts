import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';

const ENROLLMENTS_A_PAGE = 100;

const IS_LIVE = `e.status IN ('active', 'paused')`;

/**
 * Ends the live enrollments of a contact, and clears the free text `source` of all its enrollments. The
 * statement runs after the contact was locked, so it sees every earlier enrollment. An enrollment may end at
 * the same time. One update therefore changes live and ended enrollments: Postgres evaluates each row again
 * once it is locked. $1 team, $2 contact.
 */
export const ERASE_ENROLLMENTS: Statement = {
  name: 'erase_enrollments',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    UPDATE enrollments e SET
      source = NULL, waiting_for = NULL, next_attempt_at = NULL, look_at = NULL, settle_at = NULL,
      status = CASE WHEN ${IS_LIVE} THEN 'exited' ELSE e.status END,
      end_reason = CASE WHEN ${IS_LIVE} THEN 'contact_deleted' ELSE e.end_reason END,
      ended_at = CASE WHEN ${IS_LIVE} THEN clock.now ELSE e.ended_at END,
      updated_at = CASE WHEN ${IS_LIVE} THEN clock.now ELSE e.updated_at END,
      timeline = CASE WHEN ${IS_LIVE} THEN e.timeline || jsonb_build_object(
          'at', ${isoInstant('clock.now')}, 'kind', 'ended', 'status', 'exited', 'endReason', 'contact_deleted')
        ELSE e.timeline END
    FROM clock
    WHERE e.team_id = $1 AND e.contact_id = $2 AND (${IS_LIVE} OR e.source IS NOT NULL)`,
};

/** A page of the enrollments of a contact. $1 team, $2 contact, $3 the last enrollment of the page before. */
export const EXPORT_ENROLLMENTS: Statement = {
  name: 'export_enrollments',
  text: `
    SELECT json_build_object(
      'enrollmentId', e.id, 'campaignId', e.campaign_id, 'campaign', c.name, 'versionId', e.version_id,
      'status', e.status, 'endReason', e.end_reason, 'step', e.step, 'timeline', e.timeline, 'source', e.source, 'createdAt', ${isoInstant('e.created_at')},
      'updatedAt', ${isoInstant('e.updated_at')})::text AS item,
      ARRAY[e.id::text] AS after
    FROM enrollments e JOIN campaigns c ON c.team_id = e.team_id AND c.id = e.campaign_id
    WHERE e.team_id = $1 AND e.contact_id = $2 AND e.id > $3::uuid
    ORDER BY e.id
    LIMIT ${ENROLLMENTS_A_PAGE}`,
};
