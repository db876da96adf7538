const ISO_NOW = `to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * SQL: records a transition of campaigns' calls on their enrollments, at the instant of the statement's relation `clock`. It adds an
 * entry to the timeline and makes live enrollments due for the engine. The repeatable function `mark_unknown` does the same.
 *
 * @param moved a relation with a row for each call: `id`, `enrollment_id` (null for a triggered call) and the new `status`.
 */
export function tellEnrollments(moved: string): string {
  return `UPDATE enrollments e SET
        look_at = CASE WHEN e.status IN ('active', 'paused') THEN clock.now ELSE e.look_at END,
        timeline = e.timeline || jsonb_build_object(
          'at', ${ISO_NOW}, 'kind', 'call', 'callRequestId', m.id, 'status', m.status)
      FROM ${moved} m, clock
      WHERE e.id = m.enrollment_id
        -- By the index, whatever the statistics say: a join may read the whole table.
        AND e.id = ANY(ARRAY(SELECT enrollment_id FROM ${moved}))`;
}
