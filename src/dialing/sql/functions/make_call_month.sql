-- Makes the partition for the details of a month's calls, unless there is one. The table is first created and
-- then attached, so that no statement on the parent table waits.
CREATE OR REPLACE FUNCTION make_call_month(at timestamptz)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  first timestamp := date_trunc('month', at AT TIME ZONE 'UTC');
  name text := 'call_details_' || to_char(first, 'YYYY_MM');
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('make_call_month', 6));
  -- This statement has a new snapshot, because another transaction may have made the table meanwhile.
  -- `to_regclass` would return its cached result.
  IF EXISTS (SELECT FROM pg_class c WHERE c.relname = name AND c.relnamespace = 'public'::regnamespace) THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE call_details INCLUDING ALL)', name);
  EXECUTE format('ALTER TABLE call_details ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
    least_call_id(first AT TIME ZONE 'UTC'), least_call_id((first + interval '1 month') AT TIME ZONE 'UTC'));
  RETURN true;
END $$;
