-- Returns calls of erased persons that are due for an erasure at their platforms, and records the attempt. A call
-- that has not ended is put off. One without a known end counts as ended a day after its claim. The pause doubles
-- from a minute to a day.
CREATE OR REPLACE FUNCTION platform_erasures_due(batch integer)
  RETURNS TABLE(id uuid, team_id uuid, carrier text, carrier_call_id text, carrier_account_id uuid, attempts integer, goes_on boolean)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS MATERIALIZED (
      SELECT e.id FROM platform_erasures e CROSS JOIN clock
      WHERE e.due_at <= clock.now
      ORDER BY e.due_at
      LIMIT batch
      FOR UPDATE OF e SKIP LOCKED
    ),
    calls AS MATERIALIZED (
      SELECT due.id, r.carrier_call_id,
        coalesce(r.status IN ('scheduled', 'queued', 'dialing', 'in_progress')
          OR r.status = 'dial_unknown' AND r.claimed_at > clock.now - interval '1 day', false) AS goes_on
      FROM due CROSS JOIN clock LEFT JOIN call_requests r ON r.id = due.id
    )
    UPDATE platform_erasures e SET
      carrier_call_id = coalesce(e.carrier_call_id, calls.carrier_call_id),
      attempts = e.attempts + (NOT calls.goes_on)::integer,
      due_at = clock.now + CASE WHEN calls.goes_on THEN interval '1 minute'
        ELSE least(interval '1 day', interval '1 minute' * power(2, least(e.attempts, 11))) END
    FROM calls, clock
    WHERE e.id = calls.id
    RETURNING e.id, e.team_id, e.carrier, e.carrier_call_id, e.carrier_account_id, e.attempts, calls.goes_on
$$;
