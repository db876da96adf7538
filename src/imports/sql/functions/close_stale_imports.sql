-- Fails imports whose upload was interrupted, and imports that are not finished three days after they were
-- created.
CREATE OR REPLACE FUNCTION close_stale_imports()
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now), closed AS (
      UPDATE imports i SET status = 'failed', finished_at = clock.now, leased_until = NULL,
        error = CASE i.status WHEN 'staging' THEN 'The upload was interrupted' ELSE 'The import was not processed within three days' END
      FROM clock
      WHERE i.status IN ('staging', 'running')
        AND (i.status = 'staging' AND i.leased_until <= clock.now OR i.created_at <= clock.now - interval '3 days')
      RETURNING 1
    )
    SELECT count(*)::integer FROM closed
$$;
