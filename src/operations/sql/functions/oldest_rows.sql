-- The age in seconds of the oldest row of each table from which a retention removes rows. An empty table is
-- left out.
CREATE OR REPLACE FUNCTION oldest_rows()
  RETURNS TABLE(name text, seconds float8)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT oldest.name, greatest(0, extract(epoch FROM outdial_now() - oldest.at))::float8
    FROM (
      SELECT 'call_requests', min(r.ended_at) FROM call_requests r WHERE r.ended_at IS NOT NULL
      UNION ALL
      SELECT 'call_details', uuid_extract_timestamp(min_id.id) FROM (SELECT d.id FROM call_details d ORDER BY d.id LIMIT 1) min_id
      UNION ALL
      SELECT 'idempotency_keys', min(i.created_at) FROM idempotency_keys i
      UNION ALL
      SELECT 'events', (SELECT e.at FROM events e ORDER BY e.position LIMIT 1)
      UNION ALL
      SELECT 'webhook_deliveries', (SELECT d.created_at FROM webhook_deliveries d ORDER BY d.id LIMIT 1)
    ) oldest (name, at)
    WHERE oldest.at IS NOT NULL
$$;
