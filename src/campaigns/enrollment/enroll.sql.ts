import { type Statement } from '../../database/transactions.js';
import { externalIdOf } from '../../dialing/facts/external-ids.sql.js';
import { CALLER, type CallerRow } from '../../teams/keyed-request.js';
import { type CampaignStatus } from '../definition/campaign.entity.js';
import { type EnrollmentStatus } from './enrollment.entity.js';
import { type EnrollmentCursor, ENROLLED } from './enrollment-order.js';
import { FIRST_LOOK, FIRST_WAIT } from './first-look.sql.js';
import { zoneOfAgent } from './reentry.sql.js';

/** The result of a request to enroll; null stands for what the team does not have. */
export interface EnrolledRow extends CallerRow {
  team_id: string;
  contact_id: string | null;
  campaign_status: CampaignStatus | null;
  version_id: string | null;
  /** The newest enrollment of the contact in the campaign before this statement. */
  existing_id: string | null;
  existing_status: EnrollmentStatus | null;
  existing_entry: number | null;
  /** Null while the enrollment is live. */
  existing_ended_at: Date | null;
  /** The campaign's setting; null if the contact was not enrolled before. */
  reentry: Record<string, unknown> | null;
  /** The time zone of the contact, or else of the agent; null if `reentry` is null. */
  zone: string | null;
  now: Date;
  /** Null if this statement did not enroll. */
  enrollment_id: string | null;
}

/**
 * Contract 4.3 in one round trip and one commit: checks the key, resolves the version, and enrolls if nothing
 * prevents it. $1 SHA-256 of the API key, $2 `teamId` or null, $3 contact, $4 campaign, $5 `current`, `draft`
 * or `id`, $6 the version's id or null, $7 source or null, $8 the number of the new entry: 1 for the first,
 * else one more than that of the ended entry.
 */
export const ENROLL: Statement = {
  name: 'enroll',
  text: `
    WITH ${CALLER}, clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
    contact AS MATERIALIZED (
      -- The lock prevents an erasure until the commit. The foreign key takes the same lock.
      SELECT c.id, c.team_id, c.timezone FROM contacts c JOIN caller ON caller.team_id = c.team_id
      WHERE c.id = $3 AND c.erased_at IS NULL
      FOR KEY SHARE OF c
    ), facts AS (
      SELECT caller.team_id, caller.admitted, c.id AS contact_id, p.id AS campaign_id, p.status AS campaign_status,
        CASE $5
          WHEN 'current' THEN p.current_version_id
          WHEN 'draft' THEN (
            SELECT v.id FROM campaign_versions v WHERE v.campaign_id = p.id AND v.status = 'draft')
          ELSE (
            SELECT v.id FROM campaign_versions v
            WHERE v.team_id = p.team_id AND v.campaign_id = p.id AND v.id = $6)
        END AS version_id,
        c.timezone, p.reentry, e.id AS existing_id, e.status AS existing_status, e.entry AS existing_entry,
        CASE WHEN e.status NOT IN ('active', 'paused') THEN coalesce(e.ended_at, e.updated_at) END AS existing_ended_at
      FROM caller
      LEFT JOIN contact c ON c.team_id = caller.team_id
      LEFT JOIN campaigns p ON p.team_id = caller.team_id AND p.id = $4
      LEFT JOIN LATERAL (
        SELECT last.* FROM enrollments last
        WHERE last.team_id = caller.team_id AND last.campaign_id = p.id AND last.contact_id = c.id
        ORDER BY last.entry DESC LIMIT 1) e ON true
    ), enrollment AS (
      INSERT INTO enrollments (
        team_id, campaign_id, contact_id, entry, version_id, source, created_at, updated_at, look_at, waiting_for)
      SELECT facts.team_id, facts.campaign_id, contact_id, $8::integer, version_id, $7, clock.now, clock.now, ${FIRST_LOOK}, ${FIRST_WAIT}
      FROM facts JOIN campaign_versions v ON v.id = facts.version_id CROSS JOIN clock
      WHERE admitted AND contact_id IS NOT NULL AND campaign_status = 'active'
        AND coalesce(existing_entry, 0) + 1 = $8 AND (existing_id IS NULL OR existing_ended_at IS NOT NULL)
      ON CONFLICT DO NOTHING
      RETURNING id
    )
    SELECT facts.team_id, facts.admitted, facts.contact_id, facts.campaign_status, facts.version_id,
      facts.existing_id, facts.existing_status, facts.existing_entry, facts.existing_ended_at, clock.now,
      CASE WHEN facts.existing_id IS NOT NULL THEN facts.reentry END AS reentry,
      CASE WHEN facts.existing_id IS NOT NULL AND facts.reentry IS NOT NULL THEN coalesce(facts.timezone,
        ${zoneOfAgent('facts.version_id')}, 'UTC') END AS zone,
      enrollment.id AS enrollment_id
    FROM facts CROSS JOIN clock LEFT JOIN enrollment ON true`,
};

export interface EnrollmentRow extends EnrollmentCursor {
  status: EnrollmentStatus;
  contact_id: string;
  /** Of the contact. */
  external_id: string | null;
  campaign_id: string;
  version_id: string;
  source: string | null;
}

const SELECT_ENROLLMENTS = `
    SELECT e.id, e.status, e.contact_id, e.campaign_id, e.version_id, e.source, e.entry, ${ENROLLED},
      ${externalIdOf('e.contact_id')} AS external_id
    FROM enrollments e`;

/** All enrollments of one contact in one campaign, the newest first. $1 team, $2 campaign, $3 contact. */
export const FIND_ENROLLMENTS: Statement = {
  name: 'find_enrollments',
  text: `${SELECT_ENROLLMENTS} WHERE e.team_id = $1 AND e.campaign_id = $2 AND e.contact_id = $3 ORDER BY e.entry DESC`,
};
