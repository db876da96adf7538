-- Endpoints with a delivery that is due. Postgres reads the index of pending deliveries once for each
-- endpoint that has some, and once for its bulk work, however many deliveries wait.
CREATE OR REPLACE FUNCTION find_due_webhook_endpoints()
  RETURNS TABLE(endpoint_id uuid, team_id uuid)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH RECURSIVE clock AS MATERIALIZED (SELECT outdial_now() AS now),
    pending AS (
      (SELECT d.endpoint_id, d.bulk, d.next_at FROM webhook_deliveries d
       WHERE d.status = 'pending'
       ORDER BY d.endpoint_id, d.bulk, d.next_at LIMIT 1)
      UNION ALL
      SELECT next.endpoint_id, next.bulk, next.next_at FROM pending p
      CROSS JOIN LATERAL (
        SELECT d.endpoint_id, d.bulk, d.next_at FROM webhook_deliveries d
        WHERE d.status = 'pending' AND (d.endpoint_id, d.bulk) > (p.endpoint_id, p.bulk)
        ORDER BY d.endpoint_id, d.bulk, d.next_at LIMIT 1) next
    )
    SELECT DISTINCT w.id, w.team_id
    FROM clock CROSS JOIN pending p JOIN webhook_endpoints w ON w.id = p.endpoint_id
    WHERE p.next_at <= clock.now AND w.disabled_at IS NULL AND w.deleted_at IS NULL
      AND (w.held_until IS NULL OR w.held_until <= clock.now)
$$;
