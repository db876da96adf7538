-- Makes the partitions of this month and the twelve months ahead; returns how many it made.
CREATE OR REPLACE FUNCTION make_call_months()
  RETURNS integer
  LANGUAGE sql
  VOLATILE
AS $$
    SELECT count(*) FILTER (WHERE make_call_month(clock.month + n * interval '1 month'))::integer
    FROM (SELECT date_trunc('month', outdial_now(), 'UTC') AS month) clock CROSS JOIN generate_series(0, 12) AS n
$$;
