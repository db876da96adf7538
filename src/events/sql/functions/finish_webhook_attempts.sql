-- Records the results of attempts, each of a different delivery. The outcomes:
-- * `delivered`;
-- * `retry`: the delivery is due again after its pause;
-- * `failed`: the delivery is not retried;
-- * `released`: the worker stopped, so the delivery is due again at once.
--
-- A result is recorded at most once. A success is recorded even if a later attempt has begun; any other
-- result is not. The answer to an earlier attempt is not stored, because an erasure may have happened between
-- the two attempts.
--
-- An endpoint is disabled by the answer 410, and when all of its attempts have failed for five days.
-- `holds_ms` has the pauses for which receivers asked. Returns the endpoints that this invocation disabled.
CREATE OR REPLACE FUNCTION finish_webhook_attempts(
    ids uuid[], attempts integer[], outcomes text[], codes integer[], answers text[], errors text[], durations integer[],
    pauses_ms bigint[], holds_ms bigint[])
  RETURNS TABLE(endpoint_id uuid, team_id uuid, reason text)
  LANGUAGE sql
  VOLATILE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    results AS MATERIALIZED (
      SELECT * FROM unnest(ids, attempts, outcomes, codes, answers, errors, durations, pauses_ms, holds_ms)
        AS r (id, attempt, outcome, code, answer, error, duration, pause_ms, hold_ms)
    ), recorded AS (
      UPDATE webhook_deliveries d SET
        status = CASE WHEN r.outcome IN ('delivered', 'failed') THEN r.outcome ELSE 'pending' END,
        failures = d.failures + (r.outcome IN ('retry', 'failed'))::integer,
        next_at = CASE r.outcome
          WHEN 'retry' THEN clock.now + r.pause_ms * interval '1 millisecond'
          WHEN 'released' THEN d.next_at
        END,
        claimed_until = NULL, response_code = r.code, answer = CASE WHEN d.attempts = r.attempt THEN r.answer END, error = r.error, duration_ms = r.duration
      FROM results r, clock
      WHERE d.id = r.id AND d.status = 'pending' AND d.claimed_until IS NOT NULL
        AND (r.outcome = 'delivered' OR d.attempts = r.attempt)
      RETURNING d.endpoint_id, r.outcome, r.code, r.hold_ms
    ), by_endpoint AS (
      SELECT r.endpoint_id, bool_or(r.outcome = 'delivered') AS taken, bool_or(r.code = 410) AS gone, max(r.hold_ms) AS hold_ms
      FROM recorded r
      WHERE r.outcome <> 'released'
      GROUP BY 1
    ), changed AS MATERIALIZED (
      SELECT w.id, w.disabled_at AS was_disabled_at, b.taken, b.hold_ms, CASE
          WHEN b.gone THEN 'gone'
          WHEN NOT b.taken AND w.failing_since <= clock.now - interval '5 days' THEN 'failing'
        END AS reason
      FROM clock CROSS JOIN by_endpoint b JOIN webhook_endpoints w ON w.id = b.endpoint_id
      WHERE b.gone OR b.hold_ms IS NOT NULL
        OR CASE WHEN b.taken THEN w.failing_since IS NOT NULL
          ELSE w.failing_since IS NULL OR w.failing_since <= clock.now - interval '5 days' END
      -- In one order, because several workers do this.
      ORDER BY w.id
      FOR NO KEY UPDATE OF w
    ), written AS (
      UPDATE webhook_endpoints w SET
        failing_since = CASE WHEN NOT c.taken THEN coalesce(w.failing_since, clock.now) END,
        held_until = CASE WHEN c.hold_ms IS NULL THEN w.held_until ELSE clock.now + c.hold_ms * interval '1 millisecond' END,
        disabled_at = CASE WHEN c.reason IS NULL THEN w.disabled_at ELSE coalesce(w.disabled_at, clock.now) END,
        disabled_reason = CASE WHEN c.reason IS NULL THEN w.disabled_reason ELSE coalesce(w.disabled_reason, c.reason) END
      FROM changed c, clock
      WHERE w.id = c.id
      RETURNING w.id, w.team_id, c.reason, c.was_disabled_at
    )
    SELECT written.id, written.team_id, written.reason FROM written
    WHERE written.reason IS NOT NULL AND written.was_disabled_at IS NULL
$$;
