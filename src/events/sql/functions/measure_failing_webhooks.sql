-- For the metrics: how many enabled endpoints fail, that is, have had no successful attempt since a failed one,
-- and for how many seconds the first of them does.
CREATE OR REPLACE FUNCTION measure_failing_webhooks()
  RETURNS TABLE(endpoints integer, seconds float8)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT count(*)::integer, coalesce(greatest(0, extract(epoch FROM outdial_now() - min(w.failing_since))), 0)::float8
    FROM webhook_endpoints w
    WHERE w.failing_since IS NOT NULL AND w.disabled_at IS NULL AND w.deleted_at IS NULL
$$;
