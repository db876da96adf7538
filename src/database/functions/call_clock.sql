-- The instant at which calls are decided, whose month has its partition from now on, whatever the clock was before: an id that is made at
-- this instant leads to it. Milliseconds are all that JavaScript keeps.
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
  -- The id may be made a moment later.
  IF date_trunc('month', now, 'UTC') <> date_trunc('month', now + interval '5 seconds', 'UTC') THEN
    PERFORM make_call_month(now + interval '5 seconds');
  END IF;
  RETURN now;
END $$;

REVOKE EXECUTE ON FUNCTION call_clock FROM PUBLIC;
GRANT EXECUTE ON FUNCTION call_clock TO outdial_app;
