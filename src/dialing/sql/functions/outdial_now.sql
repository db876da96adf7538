-- The one clock by which rules decide. A function, so that a test can move it without moving the calendar.
CREATE OR REPLACE FUNCTION outdial_now()
  RETURNS timestamptz
  LANGUAGE sql
  VOLATILE PARALLEL SAFE
AS $$SELECT clock_timestamp()$$;
