import { type Statement } from '../../database/transactions.js';
import { FIRST_LOOK, FIRST_WAIT } from './first-look.sql.js';

/*
 * The two statements by which several contacts of a team are enrolled again. They have no name, so Postgres
 * plans them for each batch.
 */

/** The newest enrollment of a contact in a campaign, and what decides whether the contact may enter again. */
export interface LastEntryRow {
  /** The index of the contact in $2, from 0. */
  n: number;
  entry: number;
  /** Null while the enrollment is live. */
  ended_at: Date | null;
  reentry: Record<string, unknown> | null;
  /** The time zone of the contact, or else of the agent. */
  zone: string;
  now: Date;
}

/** SQL: the version on which contacts are enrolled. $4 the campaign that enrolls on version $5, or null. */
const VERSION = 'CASE WHEN p.id = $4::uuid THEN $5::uuid ELSE p.current_version_id END';

/**
 * SQL: the time zone of the agent of the first step, for a contact without a time zone.
 * @param version SQL for the version's id.
 */
export function zoneOfAgent(version: string): string {
  return `(
        SELECT a.timezone FROM campaign_versions v
        JOIN voice_agents a ON a.team_id = v.team_id AND a.id::text = lower(v.definition #>> '{steps,0,agentId}')
        WHERE v.id = ${version})`;
}

/**
 * A row for each contact that was enrolled in its campaign before. $1 team, $2 contacts, $3 their campaigns,
 * $4 and $5 see {@link VERSION}.
 */
export const LAST_ENTRIES: Statement = {
  name: '',
  text: `
    SELECT q.n::integer - 1 AS n, last.entry, p.reentry, date_trunc('milliseconds', outdial_now()) AS now,
      CASE WHEN last.status NOT IN ('active', 'paused') THEN coalesce(last.ended_at, last.updated_at) END AS ended_at,
      coalesce(c.timezone, ${zoneOfAgent(VERSION)}, 'UTC') AS zone
    FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS q (contact_id, campaign_id, n)
    JOIN campaigns p ON p.team_id = $1 AND p.id = q.campaign_id
    JOIN contacts c ON c.team_id = $1 AND c.id = q.contact_id
    CROSS JOIN LATERAL (
      SELECT e.* FROM enrollments e
      WHERE e.team_id = $1 AND e.campaign_id = q.campaign_id AND e.contact_id = q.contact_id
      ORDER BY e.entry DESC LIMIT 1) last`,
};

export interface EnteredRow {
  id: string;
  contact_id: string;
  campaign_id: string;
}

/**
 * Enrolls contacts of an import again, except those that another transaction has enrolled since the last entries were
 * read. $1 to $5 as {@link LAST_ENTRIES}, $6 the entry of each contact.
 */
export const ENTER_AGAIN: Statement = {
  name: '',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now)
    INSERT INTO enrollments (
      team_id, campaign_id, contact_id, entry, version_id, created_at, updated_at, look_at, waiting_for)
    SELECT p.team_id, p.id, q.contact_id, q.entry, v.id, clock.now, clock.now, ${FIRST_LOOK}, ${FIRST_WAIT}
    FROM unnest($2::uuid[], $3::uuid[], $6::integer[]) AS q (contact_id, campaign_id, entry)
    CROSS JOIN clock
    JOIN campaigns p ON p.team_id = $1 AND p.id = q.campaign_id AND p.status <> 'archived'
    JOIN campaign_versions v ON v.id = ${VERSION}
    ON CONFLICT DO NOTHING
    RETURNING id, contact_id, campaign_id`,
};
