-- Claims due deliveries of some endpoints for `lease_ms`. `counts` has the highest number of each endpoint.
-- Returns each delivery with the position and the number of its event, and the URL and the secrets of its
-- endpoint.
--
-- Deliveries of bulk work, such as an import, wait behind the others of their endpoint. In one of five claims it
-- is the other way round, so that calls that never pause do not hold up an import for ever. An endpoint that has
-- only one of both kinds gets all of its places for it.
CREATE OR REPLACE FUNCTION claim_webhook_deliveries(endpoints uuid[], counts integer[], lease_ms integer)
  RETURNS TABLE(
    id uuid, endpoint_id uuid, team_id uuid, event_id uuid, "position" bigint, sequence bigint, type text, attempt integer,
    failures integer, created_at timestamptz, url text, types text[], description text, secrets text[])
  LANGUAGE sql
  VOLATILE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    asked AS MATERIALIZED (
      SELECT q.endpoint, q.most, random() < 0.2 AS bulk_first FROM unnest(endpoints, counts) AS q (endpoint, most)
    ), due AS MATERIALIZED (
      SELECT d.id FROM clock
      CROSS JOIN asked q
      JOIN webhook_endpoints w ON w.id = q.endpoint AND w.disabled_at IS NULL AND w.deleted_at IS NULL
        AND (w.held_until IS NULL OR w.held_until <= clock.now)
      CROSS JOIN LATERAL (
        -- The second part is read only as far as the first leaves places.
        SELECT first.id FROM (
          SELECT d.id FROM webhook_deliveries d
          WHERE d.endpoint_id = q.endpoint AND d.status = 'pending' AND d.bulk = q.bulk_first AND d.next_at <= clock.now
            AND (d.claimed_until IS NULL OR d.claimed_until <= clock.now)
          ORDER BY d.next_at
          LIMIT q.most
          FOR UPDATE SKIP LOCKED) first
        UNION ALL
        SELECT second.id FROM (
          SELECT d.id FROM webhook_deliveries d
          WHERE d.endpoint_id = q.endpoint AND d.status = 'pending' AND d.bulk = NOT q.bulk_first AND d.next_at <= clock.now
            AND (d.claimed_until IS NULL OR d.claimed_until <= clock.now)
          ORDER BY d.next_at
          LIMIT q.most
          FOR UPDATE SKIP LOCKED) second
        LIMIT q.most) d
    ), claimed AS (
      UPDATE webhook_deliveries d SET
        claimed_until = clock.now + lease_ms * interval '1 millisecond', attempted_at = clock.now, attempts = d.attempts + 1
      FROM due, clock
      WHERE d.id = due.id
      RETURNING d.*
    )
    SELECT c.id, c.endpoint_id, c.team_id, c.event_id, c.position, c.sequence, c.type, c.attempts, c.failures,
      c.created_at, w.url, w.types, w.description,
      CASE WHEN w.previous_until > clock.now THEN ARRAY[w.secret, w.previous_secret] ELSE ARRAY[w.secret] END
    FROM clock CROSS JOIN claimed c
    JOIN webhook_endpoints w ON w.id = c.endpoint_id
    ORDER BY c.position
$$;
