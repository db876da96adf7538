-- Returns the instant at which calls are decided, in whole milliseconds, because JavaScript keeps no more.
-- Makes the partition of that month if there is none. The id of a call contains the instant, and the details
-- of the call are stored in the partition of that month.
CREATE OR REPLACE FUNCTION call_clock()
  RETURNS timestamptz
  LANGUAGE plpgsql
  VOLATILE
AS $$
DECLARE
  now timestamptz := date_trunc('milliseconds', outdial_now());
BEGIN
  IF to_regclass('public.call_details_' || to_char(now AT TIME ZONE 'UTC', 'YYYY_MM')) IS NULL THEN
    PERFORM make_call_month(now);
  END IF;
  -- The id of the call may be made shortly after this instant.
  IF date_trunc('month', now, 'UTC') <> date_trunc('month', now + interval '5 seconds', 'UTC') THEN
    PERFORM make_call_month(now + interval '5 seconds');
  END IF;
  RETURN now;
END $$;
