-- The earlier `remove_old_answers`, for processes of version 0.2.0.
CREATE OR REPLACE FUNCTION delete_old_answers(batch integer)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH old AS (
      SELECT i.team_id, i.key FROM idempotency_keys i
      WHERE i.created_at <= (SELECT outdial_now()) - interval '24 hours'
      ORDER BY i.created_at
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM idempotency_keys i USING old WHERE i.team_id = old.team_id AND i.key = old.key RETURNING 1
    )
    SELECT count(*)::integer FROM deleted
$$;
