-- Counts the calls of a restored database that `hold_restored_calls` still has to put into `dial_unknown`.
-- Each run of `hold_restored_calls` skips calls whose rows another transaction holds.
CREATE OR REPLACE FUNCTION count_restored_calls()
  RETURNS integer
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT count(*)::integer FROM database_identity d JOIN call_requests r ON r.runs_at <= d.restored_at
    WHERE r.phase <= 0 AND r.generation >= 0 AND r.accepted_at < d.restored_at
$$;
