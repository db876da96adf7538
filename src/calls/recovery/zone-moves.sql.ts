import { type CallingHours } from '../../domain/calling-hours.js';
import { type Statement } from '../../database/transactions.js';
import { historyEntry } from '../../dialing/facts/details.sql.js';

/** The zone data in force. The data are null where they are not asked for. */
export interface ZoneDataRow extends Record<string, unknown> {
  version: string | null;
  since: Date | null;
  data: string | null;
  before: string | null;
  /** The version by which all pending calls have been decided. */
  moved: string | null;
}

/** The zone data in force, with the data before if calls may have to move. $1 whether the data are wanted too. */
export const ZONE_DATA_IN_FORCE: Statement = {
  name: 'zone_data_in_force',
  text: `
    SELECT zone_data_version AS version, zone_data_since AS since, zone_data_moved AS moved,
      CASE WHEN $1 THEN zone_data END AS data,
      CASE WHEN zone_data_moved IS DISTINCT FROM zone_data_version THEN zone_data_before END AS before
    FROM platform_settings`,
};

export interface CallOfZoneRow extends Record<string, unknown> {
  id: string;
  generation: number;
  team_id: string;
  accepted_at: Date;
  runs_at: Date;
  /** As text: a `Date` has no microseconds. */
  position: string;
  first_runs_at: Date;
  not_before: Date | null;
  not_after: Date | null;
  /** null: the call is not concerned. */
  zone: string | null;
  calling_hours: CallingHours;
  closed_dates: string[] | null;
  now: Date;
}

/**
 * Pending calls that are due later, with their zones. $1 zones in lower case, $2 until when their openings were
 * computed, $3 and $4 runs_at and id to begin after, $5 batch size.
 */
export const FIND_CALLS_OF_ZONES: Statement = {
  name: 'find_calls_of_zones',
  text: `
    SELECT id, generation, team_id, accepted_at, runs_at, runs_at::text AS position, first_runs_at, not_before, not_after, zone,
      calling_hours, closed_dates, outdial_now() AS now
    FROM find_calls_of_zones($1, $2, $3, $4, $5)`,
};

/**
 * Moves pending calls to other openings, and returns their new generations and the time until they are due. $1 ids,
 * $2 the generations at which the calls were found, $3 runs at, $4 expires at, $5 the states of the calls.
 */
export const MOVE_CALLS: Statement = {
  name: 'move_calls',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
    moves AS MATERIALIZED (
      SELECT r.id, m.runs_at, m.expires_at
      FROM unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::timestamptz[]) AS m (id, generation, runs_at, expires_at)
      JOIN call_requests r ON r.id = m.id AND r.generation = m.generation
      WHERE r.id = ANY($1::uuid[]) AND r.status = ANY($5)
      ORDER BY r.id
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET
      runs_at = m.runs_at, first_runs_at = coalesce(r.first_runs_at, r.runs_at), expires_at = m.expires_at,
      woken_at = clock.now, wakes = 0, generation = r.generation + 1, waiting_since = NULL, line_offered_at = NULL,
      history = r.history || ${historyEntry('r.status', `'zone_data_changed'`)}
    FROM moves m, clock
    WHERE r.id = m.id
    RETURNING r.id, r.generation, r.team_id, greatest(0, extract(epoch FROM r.runs_at - clock.now) * 1000)::float8 AS due_in_ms`,
};

/** $1 zones in lower case, $2 id to begin after, $3 batch size. */
export const DECIDE_ENROLLMENTS_OF_ZONES: Statement = {
  name: 'decide_enrollments_of_zones',
  text: 'SELECT last, decided FROM decide_enrollments_of_zones($1, $2, $3)',
};

/** $1 version. */
export const FINISH_ZONE_MOVES: Statement = {
  name: 'finish_zone_moves',
  text: 'SELECT finish_zone_moves($1)',
};
