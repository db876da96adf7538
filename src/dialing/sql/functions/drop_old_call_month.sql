-- Drops the details of the oldest month, if the retention of every team is over for all calls of that month.
-- Returns about how many rows it dropped, or null if it dropped no month. It waits only briefly for the
-- table's lock; a later run tries again.
CREATE OR REPLACE FUNCTION drop_old_call_month()
  RETURNS float8
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  oldest record;
  since timestamptz;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('remove_ended_calls', 5)) THEN RETURN NULL; END IF;
  SELECT c.relname AS name, c.reltuples AS calls, month.first, month.first + interval '1 month' AS behind INTO oldest
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT to_timestamp(right(c.relname, 7), 'YYYY_MM') AS first) month
  WHERE i.inhparent = 'call_details'::regclass
  ORDER BY c.relname
  LIMIT 1;
  -- No retention is shorter.
  IF oldest.behind IS NULL OR oldest.behind > outdial_now() - interval '31 days' THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM teams t CROSS JOIN platform_settings s
    WHERE coalesce(t.call_retention_days, s.call_retention_days) = 0) THEN RETURN NULL; END IF;
  SELECT outdial_now() - max(call_retention(t.id)) INTO since FROM teams t;
  IF oldest.behind > coalesce(since, '-infinity') OR EXISTS (
    SELECT FROM call_requests r
    WHERE r.id >= least_call_id(oldest.first) AND r.id < least_call_id(oldest.behind)
      AND (r.ended_at IS NULL OR r.ended_at > since)) THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('lock_timeout', '100ms', true);
  EXECUTE format('DROP TABLE %I', oldest.name);
  RETURN greatest(oldest.calls, 0);
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;
END $$;
