-- Removes a batch of answers older than 24 hours, the oldest first, beginning with the instant `since`.
-- Postgres therefore does not pass the earlier removed rows again, which a long transaction keeps in the
-- index.
CREATE OR REPLACE FUNCTION remove_old_answers(since timestamptz, batch integer)
  RETURNS TABLE(removed integer, created_at timestamptz)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH old AS MATERIALIZED (
      SELECT i.ctid AS row, i.created_at FROM idempotency_keys i
      WHERE i.created_at >= since AND i.created_at <= (SELECT outdial_now()) - interval '24 hours'
      ORDER BY i.created_at
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM idempotency_keys i WHERE i.ctid = ANY (ARRAY(SELECT old.row FROM old))
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM removed)::integer, (SELECT max(old.created_at) FROM old)
$$;
