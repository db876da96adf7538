import { externalIdOf } from '../../dialing/facts/external-ids.sql.js';
import { HOLD } from '../definition/hold.js';
import { afterCursor, ENROLLED, NEWEST_FIRST } from '../enrollment/enrollment-order.js';

/** The columns have the names of the entity's properties. */
const COLUMNS = `e.id, e.campaign_id AS "campaignId", e.contact_id AS "contactId", e.version_id AS "versionId", e.entry, e.status,
      e.source, e.end_reason AS "endReason", e.step, e.next_attempt_at AS "nextAttemptAt", e.waiting_for AS "waitingFor",
      e.created_at AS "createdAt", e.updated_at AS "updatedAt", ${ENROLLED},
      ${externalIdOf('e.contact_id')} AS "externalId"`;

const OF_CAMPAIGN = `e.team_id = $1 AND e.campaign_id = $2 AND ${afterCursor(3)}`;

/**
 * Enrollments of a campaign in some states, the newest first. Each state is read by the index in that order,
 * so the cost of a page does not depend on the number of enrollments. $1 team, $2 campaign, $3 to $5 the
 * cursor, $6 how many, $7 the states, $8 the version where there is one.
 */
export function enrollmentsByStatus(withVersion: boolean): string {
  return `
    SELECT page.* FROM unnest($7::text[]) AS listed (state) CROSS JOIN LATERAL (
      SELECT ${COLUMNS}
      FROM enrollments e
      WHERE ${OF_CAMPAIGN} AND e.status = listed.state ${withVersion ? 'AND e.version_id = $8' : ''}
      ORDER BY ${NEWEST_FIRST}
      LIMIT $6) page
    ORDER BY page."createdAt" DESC, page.entry DESC, page.id DESC
    LIMIT $6`;
}

/**
 * The same for the live enrollments that the hold of their campaign keeps from being dialed, whatever they
 * waited for. $8 what they would also wait for without the hold, $9 the version where there is one.
 */
export function enrollmentsHeld(withVersion: boolean): string {
  return `
    SELECT page.* FROM unnest($7::text[]) AS listed (state) CROSS JOIN LATERAL (
      SELECT ${COLUMNS}
      FROM enrollments e
      WHERE ${OF_CAMPAIGN} AND e.status = listed.state AND coalesce(e.waiting_for, '') <> ALL($8::text[])
        ${withVersion ? 'AND e.version_id = $9' : ''}
      ORDER BY ${NEWEST_FIRST}
      LIMIT $6) page
    ORDER BY page."createdAt" DESC, page.entry DESC, page.id DESC
    LIMIT $6`;
}

/**
 * The same for enrollments whose last decision was to wait for one thing. $7 the states, $8 what the enrollments wait for, $9 the
 * version where there is one.
 */
export function enrollmentsThatWait(withVersion: boolean): string {
  return `
    SELECT ${COLUMNS}
    FROM enrollments e
    WHERE ${OF_CAMPAIGN} AND e.status = ANY($7::text[]) AND e.waiting_for = $8 ${withVersion ? 'AND e.version_id = $9' : ''}
    ORDER BY ${NEWEST_FIRST}
    LIMIT $6`;
}

/**
 * The enrollments of the contact that has a number. A contact has few in one campaign. $7 the states, $8 the
 * number in E.164, $9 the version; null: any.
 */
export const ENROLLMENTS_OF_NUMBER = `
    SELECT ${COLUMNS}
    FROM contacts c JOIN enrollments e ON e.team_id = c.team_id AND e.contact_id = c.id
    WHERE c.team_id = $1 AND c.phone_number = $8 AND ${OF_CAMPAIGN} AND e.status = ANY($7::text[])
      AND ($9::uuid IS NULL OR e.version_id = $9)
    ORDER BY ${NEWEST_FIRST}
    LIMIT $6`;

/** SQL: what the enrollment `e` of the campaign `p` waits for, as {@link shownWaitingFor}. $13 see there. */
const SHOWN_WAITING_FOR = `CASE
        WHEN e.status IN ('active', 'paused') AND held.hold IS NOT NULL AND coalesce(e.waiting_for, '') <> ALL($13::text[])
        THEN held.hold ELSE e.waiting_for END`;

/**
 * The enrollments of a contact, with the hold of their campaigns. A contact has few. $1 team, $2 contact, $3 to $5 the
 * cursor, $6 how many, from $7 the filters, null: any. $7 campaign, $8 status, $9 version, $10 `current`, `draft` or
 * the id of a version, $11 what they wait for, $12 number in E.164, $13 what live enrollments wait for during a hold.
 */
export const ENROLLMENTS_OF_CONTACT = `
    SELECT ${COLUMNS}, held.hold
    FROM enrollments e
    JOIN campaigns p ON p.team_id = e.team_id AND p.id = e.campaign_id
    JOIN teams t ON t.id = e.team_id
    JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
    CROSS JOIN platform_settings s
    CROSS JOIN LATERAL (SELECT ${HOLD} AS hold) held
    WHERE e.team_id = $1 AND e.contact_id = $2 AND ${afterCursor(3)}
      AND ($7::uuid IS NULL OR e.campaign_id = $7) AND ($8::text IS NULL OR e.status = $8)
      AND ($9::uuid IS NULL OR e.version_id = $9)
      AND ($10::text IS NULL OR e.version_id::text = CASE $10
        WHEN 'current' THEN p.current_version_id::text
        WHEN 'draft' THEN (SELECT v.id::text FROM campaign_versions v WHERE v.campaign_id = p.id AND v.status = 'draft')
        ELSE $10 END)
      AND ($11::text IS NULL OR ${SHOWN_WAITING_FOR} = $11) AND ($12::text IS NULL OR c.phone_number = $12)
    ORDER BY ${NEWEST_FIRST}
    LIMIT $6`;
