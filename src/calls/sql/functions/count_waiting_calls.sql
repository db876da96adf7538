-- Counts the calls that wait for a concurrency slot. For the scrape of metrics.
CREATE OR REPLACE FUNCTION count_waiting_calls()
  RETURNS float8
  LANGUAGE sql
  SECURITY DEFINER
AS $$ SELECT count(*)::float8 FROM call_requests WHERE phase <= 0 AND waiting_since IS NOT NULL $$;
