-- Returns calls of one carrier that have been in `dial_unknown` with a reason for longer than a time. For the
-- reconciliation.
CREATE OR REPLACE FUNCTION find_unsettled(carrier_name text, of_reason text, within_ms float8, batch integer)
  RETURNS TABLE(id uuid, carrier_call_id text)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    SELECT r.id, r.carrier_call_id FROM call_requests r
    WHERE r.phase = 1 AND r.generation >= 0 AND r.status = 'dial_unknown' AND r.carrier = carrier_name
      AND r.reason = of_reason
      AND (r.history->-1->>'at')::timestamptz <= outdial_now() - within_ms * interval '1 ms'
    LIMIT batch
$$;
