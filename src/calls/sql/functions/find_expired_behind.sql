-- Returns pending calls of all teams that have expired, after a position in the order of expiry. For the
-- sweeper's expiry.
CREATE OR REPLACE FUNCTION find_expired_behind(after_expires_at timestamptz, after_id uuid, batch integer)
  RETURNS TABLE(id uuid, team_id uuid, expires_at timestamptz)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    SELECT r.id, r.team_id, r.expires_at FROM call_requests r
    WHERE r.phase <= 0 AND r.generation >= 0 AND r.expires_at <= (SELECT outdial_now())
      AND (r.expires_at, r.id) > (after_expires_at, after_id)
    ORDER BY r.expires_at, r.id
    LIMIT batch
$$;
