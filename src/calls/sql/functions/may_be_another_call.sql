-- Whether a call that a carrier's look-up found may belong to another call request to the same number. For
-- the reconciliation.
CREATE OR REPLACE FUNCTION may_be_another_call(call_id uuid, found_id text)
  RETURNS boolean
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
      WITH own AS MATERIALIZED (
        SELECT id, carrier, phone_number, caller_id, claimed_at FROM call_requests WHERE id = call_id
      ), others AS (
        SELECT r.* FROM own JOIN call_requests r
          ON r.phase = 1 AND r.generation >= 0 AND r.id <> own.id
          AND r.claimed_at BETWEEN own.claimed_at - interval '1 minute' AND own.claimed_at + interval '1 minute'
        UNION ALL
        SELECT r.* FROM own JOIN call_requests r
          ON r.ended_at BETWEEN own.claimed_at - interval '1 minute' AND own.claimed_at + interval '25 hours'
          AND r.processed_at BETWEEN own.claimed_at - interval '1 minute' AND own.claimed_at + interval '1 minute'
      )
      SELECT EXISTS (
        SELECT FROM others o, own
        WHERE o.carrier = own.carrier AND (
          o.carrier_call_id = found_id
          OR o.carrier_call_id IS NULL AND o.caller_id = own.caller_id
            AND (o.phone_number = own.phone_number OR starts_with(o.phone_number, 'erased:'))
        )
      )
$$;
