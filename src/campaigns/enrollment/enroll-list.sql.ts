import { type Statement } from '../../database/transactions.js';
import { type EnrollmentStatus } from './enrollment.entity.js';
import { FIRST_LOOK, FIRST_WAIT } from './first-look.sql.js';

/*
 * The statements by which a list of contacts of a team is enrolled. They have no name, so Postgres plans them for each
 * list.
 */

/** The contacts that a line of a list can mean. */
export interface NamedContactsRow {
  /** The index of the line, from 0. */
  n: number;
  contacts: string[];
}

/**
 * The contacts that have the id, the external id or the number of a line, for lines that name any. $1 team; for each
 * line $2 its text, $3 its id or null, $4 its number in E.164 and $5 the other form of that number, or null.
 */
export const NAMED_CONTACTS: Statement = {
  name: '',
  text: `
    SELECT q.n::integer - 1 AS n, array_agg(c.id) AS contacts
    FROM unnest($2::text[], $3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY
      AS q (external_id, id, number, other_number, n)
    CROSS JOIN LATERAL (
      SELECT id FROM contacts WHERE team_id = $1 AND external_id = q.external_id AND erased_at IS NULL
      UNION SELECT id FROM contacts WHERE team_id = $1 AND id = q.id AND erased_at IS NULL
      UNION SELECT id FROM contacts WHERE team_id = $1 AND phone_number = q.number AND erased_at IS NULL
      UNION SELECT id FROM contacts WHERE team_id = $1 AND phone_number = q.other_number AND erased_at IS NULL) c
    GROUP BY q.n`,
};

/** A contact of a list that exists. */
export interface ListedContactRow {
  contact_id: string;
  /** Null: the contact was in the campaign before, or the campaign is not active. */
  enrollment_id: string | null;
  is_active: boolean;
}

/**
 * Enrolls contacts that were never in the campaign, on its current version. $1 team, $2 campaign, $3 contacts, $4
 * source.
 */
export const ENROLL_LISTED: Statement = {
  name: '',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now), contact AS MATERIALIZED (
      -- The lock prevents an erasure until the commit. The foreign key takes the same lock.
      SELECT c.id FROM contacts c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[]) AND c.erased_at IS NULL
      ORDER BY c.id FOR KEY SHARE
    ), campaign AS MATERIALIZED (
      SELECT p.id, p.team_id, p.status, v.id AS version_id, ${FIRST_LOOK} AS look_at, ${FIRST_WAIT} AS waiting_for
      FROM clock CROSS JOIN campaigns p JOIN campaign_versions v ON v.id = p.current_version_id
      WHERE p.team_id = $1 AND p.id = $2
    ), enrollment AS (
      INSERT INTO enrollments (
        team_id, campaign_id, contact_id, version_id, source, created_at, updated_at, look_at, waiting_for)
      SELECT campaign.team_id, campaign.id, contact.id, version_id, $4::text, clock.now, clock.now, look_at, waiting_for
      FROM contact CROSS JOIN campaign CROSS JOIN clock
      WHERE campaign.status = 'active'
      ORDER BY contact.id
      ON CONFLICT DO NOTHING
      RETURNING id, contact_id
    )
    SELECT contact.id AS contact_id, enrollment.id AS enrollment_id, campaign.status = 'active' AS is_active
    FROM contact CROSS JOIN campaign LEFT JOIN enrollment ON enrollment.contact_id = contact.id`,
};

/** The newest enrollment of a contact. */
export interface EnrolledBeforeRow {
  contact_id: string;
  id: string;
  status: EnrollmentStatus;
}

/** $1 team, $2 campaign, $3 contacts. */
export const ENROLLED_BEFORE: Statement = {
  name: '',
  text: `
    SELECT q.contact_id, last.id, last.status
    FROM unnest($3::uuid[]) AS q (contact_id)
    CROSS JOIN LATERAL (
      SELECT e.id, e.status FROM enrollments e
      WHERE e.team_id = $1 AND e.campaign_id = $2 AND e.contact_id = q.contact_id
      ORDER BY e.entry DESC LIMIT 1) last`,
};
