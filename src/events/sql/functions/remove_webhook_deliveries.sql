-- Removes a batch of deliveries of one endpoint. If the endpoint is deleted, all of its deliveries are
-- removed, and then its row. Otherwise, only deliveries are removed whose event is past the retention of
-- events. `endpoint` is the endpoint of the batch, or null if there is nothing to remove. One process at a
-- time removes deliveries.
CREATE OR REPLACE FUNCTION remove_webhook_deliveries(batch integer)
  RETURNS TABLE(endpoint uuid, removed integer)
  LANGUAGE sql
  VOLATILE SECURITY DEFINER
AS $$
    WITH lock AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('remove_webhook_deliveries', 5)) AS held
    ), clock AS MATERIALIZED (
      SELECT outdial_now() AS now FROM lock WHERE lock.held
    ), bounds AS (
      SELECT w.id, w.deleted_at IS NOT NULL AS is_deleted, CASE
          WHEN w.deleted_at IS NOT NULL THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
          ELSE least_call_id(clock.now - coalesce(t.event_retention_days, s.event_retention_days) * interval '24 hours')
        END AS before
      FROM clock CROSS JOIN webhook_endpoints w JOIN teams t ON t.id = w.team_id CROSS JOIN platform_settings s
      WHERE w.deleted_at IS NOT NULL OR coalesce(t.event_retention_days, s.event_retention_days) > 0
    ), chosen AS MATERIALIZED (
      SELECT b.* FROM bounds b
      WHERE b.is_deleted OR (
        SELECT true FROM webhook_deliveries d WHERE d.endpoint_id = b.id AND d.event_id < b.before
        ORDER BY d.event_id LIMIT 1)
      LIMIT 1
    ), old AS MATERIALIZED (
      SELECT d.id FROM chosen b
      CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = b.id AND d.event_id < b.before
        ORDER BY d.event_id
        LIMIT batch) d
    ), removed AS (
      DELETE FROM webhook_deliveries d WHERE d.id = ANY (ARRAY(SELECT old.id FROM old)) RETURNING 1
    ), emptied AS (
      DELETE FROM webhook_endpoints w
      WHERE w.id = (SELECT b.id FROM chosen b WHERE b.is_deleted) AND (SELECT count(*) FROM old) < batch
    )
    SELECT (SELECT b.id FROM chosen b), (SELECT count(*) FROM removed)::integer
$$;
