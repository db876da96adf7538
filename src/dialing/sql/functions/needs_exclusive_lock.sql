-- The rule of the team's lock: exclusive where calls are counted one by one, else shared. They are counted
-- one by one if the plan's limit is at most `distance` calls away, or if concurrency slots are limited.
-- Either limit may be null.
CREATE OR REPLACE FUNCTION needs_exclusive_lock(team uuid, monthly_limit integer, slot_limit integer, distance integer)
  RETURNS boolean
  LANGUAGE sql
  STABLE
AS $$
    SELECT slot_limit IS NOT NULL OR monthly_limit IS NOT NULL
      AND monthly_limit - counted_calls(team, date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date) <= distance
$$;
