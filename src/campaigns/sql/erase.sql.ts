import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';

const ENROLLMENTS_A_PAGE = 100;

/**
 * Ends the live enrollments of a contact, and clears the label of all of them, which is free text. It runs behind the lock of the
 * contact's row, so it sees every enrollment that was made before. $1 team, $2 contact.
 */
export const ERASE_ENROLLMENTS: Statement = {
  name: 'erase_enrollments',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    ended AS (
      UPDATE enrollments e SET
        status = 'exited', end_reason = 'contact_deleted', ended_at = clock.now, updated_at = clock.now,
        waiting_for = NULL, next_attempt_at = NULL, look_at = NULL, source = NULL,
        timeline = e.timeline || jsonb_build_object(
          'at', ${isoInstant('clock.now')}, 'kind', 'ended', 'status', 'exited', 'endReason', 'contact_deleted')
      FROM clock
      WHERE e.team_id = $1 AND e.contact_id = $2 AND e.status IN ('active', 'paused')
    )
    UPDATE enrollments SET source = NULL
    WHERE team_id = $1 AND contact_id = $2 AND status NOT IN ('active', 'paused') AND source IS NOT NULL`,
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
