-- Returns calls of one carrier that are in progress for longer than `after_ms`, and are due for a look-up, and
-- records the look-up. For a carrier whose reports are lost with the process that dialed.
CREATE OR REPLACE FUNCTION ask_silent_of(carrier_name text, after_ms float8, grace_ms float8, batch integer)
  RETURNS TABLE(id uuid, phone_number text, caller_id text, claimed_at timestamptz, carrier_call_id text, carrier_settings jsonb, carrier_account_id uuid, claimed_ms_ago float8)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.phase = 1 AND r.generation >= 0 AND r.status = 'in_progress' AND r.carrier = carrier_name
        AND r.claimed_at + after_ms * interval '1 ms' <= clock.now
        AND r.woken_at + grace_ms * interval '1 ms' * power(2, least(r.wakes, 3)) <= clock.now
      ORDER BY r.woken_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1
    FROM due, clock, voice_agents a
    WHERE r.id = due.id AND a.team_id = r.team_id AND a.id = r.agent_id
    RETURNING r.id, r.phone_number, r.caller_id, r.claimed_at, r.carrier_call_id, a.carrier_settings, a.carrier_account_id,
      (extract(epoch FROM clock.now - r.claimed_at) * 1000)::float8
$$;
