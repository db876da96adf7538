-- Makes enrollments due that a worker of the version before has held because of a pause, if the pause is over.
-- Releases a bounded batch of each campaign; returns their number.
CREATE OR REPLACE FUNCTION release_paused_enrollments(batch integer)
  RETURNS integer
  LANGUAGE sql
  VOLATILE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    held AS MATERIALIZED (
      SELECT h.id FROM platform_settings s
      CROSS JOIN campaigns p
      JOIN teams t ON t.id = p.team_id
      CROSS JOIN LATERAL (
        SELECT e.id FROM enrollments e
        WHERE e.campaign_id = p.id AND e.status = 'active' AND e.waiting_for = 'paused'
        ORDER BY e.id
        LIMIT batch
        FOR UPDATE SKIP LOCKED) h
      WHERE NOT s.paused AND NOT t.paused AND p.status = 'active'
    ), released AS (
      UPDATE enrollments e SET look_at = clock.now, waiting_for = NULL
      FROM held, clock
      WHERE e.id = held.id
        -- Forces the index: with wrong statistics, a join reads the whole table.
        AND e.id = ANY(ARRAY(SELECT id FROM held))
      RETURNING 1
    )
    SELECT count(*)::integer FROM released
$$;
