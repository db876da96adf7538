-- How many calls of the month (its first day, in UTC) count against the team's plan, as far as they are
-- committed.
CREATE OR REPLACE FUNCTION counted_calls(team uuid, of_month date)
  RETURNS integer
  LANGUAGE sql
  STABLE
AS $$
    SELECT greatest(coalesce(sum(u.used), 0), 0)::integer FROM plan_usage u
    WHERE u.team_id = team AND u.month = of_month
$$;

REVOKE EXECUTE ON FUNCTION counted_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION counted_calls TO outdial_app;
