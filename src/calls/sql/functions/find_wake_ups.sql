-- Returns the wake-ups that Redis should have, after a position in the order of `runs_at`. `due_in_ms` is
-- null for a call that needs none. For the recovery of a lost Redis.
CREATE OR REPLACE FUNCTION find_wake_ups(after_runs_at timestamptz, after_id uuid, batch integer)
  RETURNS TABLE(id uuid, generation integer, team_id uuid, runs_at timestamptz, due_in_ms float8)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT r.id, r.generation, r.team_id, r.runs_at,
      CASE WHEN r.expires_at > clock.now
        AND (NOT t.paused AND NOT s.paused OR greatest(r.runs_at, r.woken_at) > clock.now)
        THEN greatest(0, extract(epoch FROM greatest(r.runs_at, r.woken_at) - clock.now) * 1000)::float8 END
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.phase <= 0 AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL) AND (r.runs_at, r.id) > (after_runs_at, after_id)
    ORDER BY r.runs_at, r.id
    LIMIT batch
$$;
