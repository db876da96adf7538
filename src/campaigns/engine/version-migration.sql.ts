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
 * Locks a page of live enrollments of a version. Rows that are locked elsewhere come with a later page. $1
 * team, $2 version, $3 how many.
 */
export const MIGRATING_PAGE: Statement = {
  name: 'migrating_page',
  text: `
    SELECT e.id, e.created_at, e.waiting_for IS NOT NULL OR e.step IS NOT NULL AS decided, e.next_attempt_at,
      c.timezone AS contact_timezone
    FROM enrollments e JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
    WHERE e.version_id = $2 AND e.team_id = $1 AND e.status IN ('active', 'paused')
    ORDER BY e.id
    LIMIT $3
    FOR UPDATE OF e SKIP LOCKED`,
};

/**
 * Moves enrollments to another version and makes them due. The engine decides them after the migration has
 * ended. $1 an array of `{id, not_before}` as JSON, $2 the new version.
 */
export const MOVE_TO_VERSION: Statement = {
  name: 'move_to_version',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now)
    UPDATE enrollments e SET
      version_id = $2, look_at = clock.now, not_before = greatest(e.not_before, q.not_before),
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
