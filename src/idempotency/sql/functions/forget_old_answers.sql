-- The earlier `delete_old_answers`, for processes of versions before 0.2.0.
CREATE OR REPLACE FUNCTION forget_old_answers(batch integer)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    DELETE FROM idempotency_keys WHERE (team_id, key) IN (
      SELECT i.team_id, i.key FROM idempotency_keys i
      WHERE i.created_at <= outdial_now() - interval '24 hours'
      LIMIT batch
      FOR UPDATE SKIP LOCKED)
$$;
