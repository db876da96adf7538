-- For the metrics: how long the oldest due delivery of an enabled endpoint waits, in seconds, and how many
-- endpoints Outdial has disabled. An endpoint is left out while it is held, because its receiver asked for a
-- pause.
CREATE OR REPLACE FUNCTION measure_webhooks()
  RETURNS TABLE(seconds float8, disabled integer)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT
      coalesce((
        SELECT extract(epoch FROM outdial_now() - min(d.next_at))::float8
        FROM find_due_webhook_endpoints() due
        CROSS JOIN (VALUES (false), (true)) AS kinds (bulk)
        CROSS JOIN LATERAL (
          SELECT d.next_at FROM webhook_deliveries d
          WHERE d.endpoint_id = due.endpoint_id AND d.status = 'pending' AND d.bulk = kinds.bulk
          ORDER BY d.next_at LIMIT 1) d), 0),
      (SELECT count(*)::integer FROM webhook_endpoints w
       WHERE w.disabled_reason IN ('gone', 'failing') AND w.deleted_at IS NULL)
$$;
