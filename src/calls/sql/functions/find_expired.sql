-- The earlier `find_expired_behind`, for processes of versions before 0.2.0.
CREATE OR REPLACE FUNCTION find_expired(batch integer)
  RETURNS TABLE(id uuid, generation integer)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    SELECT r.id, r.generation FROM call_requests r
    WHERE r.status IN ('scheduled', 'queued') AND r.ended_at IS NULL AND r.expires_at <= (SELECT outdial_now())
    ORDER BY r.expires_at
    LIMIT batch
$$;
