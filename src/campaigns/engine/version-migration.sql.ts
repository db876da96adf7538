import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';

export interface MigratingVersionRow extends Record<string, unknown> {
  id: string;
  team_id: string;
  migrates_to: string;
  /** `after` of the first step; null for a version that places no calls. */
  first_after: string | null;
  /** The time zone of the first step's agent. */
  agent_timezone: string | null;
}

/**
 * The versions that are being migrated. The statement crosses teams, so it uses a function of the database.
 */
export const FIND_MIGRATING: Statement = {
  name: 'find_migrating_versions',
  text: 'SELECT id, team_id, migrates_to, first_after, agent_timezone FROM find_migrating_versions()',
};

export interface MigratingEnrollmentRow {
  id: string;
  created_at: Date;
  /** Whether the engine has decided it at least once. */
  decided: boolean;
  next_attempt_at: Date | null;
  contact_timezone: string | null;
}

/**
 * Locks a page of live enrollments of a version: first those to which something has happened, because they are
 * decided once they are moved. Rows that are locked elsewhere come with a later page. $1 team, $2 version, $3 how
 * many.
 */
export const MIGRATING_PAGE: Statement = {
  name: 'migrating_page',
  text: `
    WITH page AS MATERIALIZED (
      (SELECT e.id, 0 AS n FROM campaign_versions v JOIN enrollments e ON e.campaign_id = v.campaign_id
        WHERE v.id = $2 AND e.version_id = $2 AND e.team_id = $1 AND e.status IN ('active', 'paused') AND e.settle_at = '-infinity'
        LIMIT $3)
      UNION ALL
      (SELECT e.id, 1 AS n FROM enrollments e
        WHERE e.version_id = $2 AND e.team_id = $1 AND e.status IN ('active', 'paused')
        ORDER BY e.id
        LIMIT $3)
      ORDER BY n
      LIMIT $3)
    SELECT e.id, e.created_at, e.waiting_for IS NOT NULL OR e.step IS NOT NULL AS decided, e.next_attempt_at,
      c.timezone AS contact_timezone
    FROM enrollments e JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
    WHERE e.id IN (SELECT page.id FROM page) AND e.version_id = $2 AND e.team_id = $1 AND e.status IN ('active', 'paused')
    FOR UPDATE OF e SKIP LOCKED`,
};

/**
 * Moves enrollments to another version, which then decides them. $1 an array of `{id, not_before}` as JSON, $2 the new version.
 */
export const MOVE_TO_VERSION: Statement = {
  name: 'move_to_version',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now)
    UPDATE enrollments e SET
      version_id = $2, settle_at = least(e.settle_at, clock.now), not_before = greatest(e.not_before, q.not_before),
      timeline = e.timeline || jsonb_build_object('at', ${isoInstant('clock.now')}, 'kind', 'version', 'versionId', $2::uuid)
    FROM clock, json_to_recordset($1) AS q (id uuid, not_before timestamptz)
    WHERE e.id = q.id`,
};

/** Ends the migration of a version, if no live enrollment is left on it. $1 team, $2 version. */
export const END_MIGRATION: Statement = {
  name: 'end_migration',
  text: `
    UPDATE campaign_versions v SET migrates_to = NULL
    WHERE v.team_id = $1 AND v.id = $2
      AND NOT EXISTS (SELECT FROM enrollments e WHERE e.version_id = v.id AND e.status IN ('active', 'paused'))`,
};
