-- Returns how many calls of a month count against the team's plan limit, as far as they are committed.
-- `of_month` is the first day of the month, in UTC.
CREATE OR REPLACE FUNCTION counted_calls(team uuid, of_month date)
  RETURNS integer
  LANGUAGE sql
  STABLE
AS $$
    SELECT greatest(coalesce(sum(u.used), 0), 0)::integer FROM plan_usage u
    WHERE u.team_id = team AND u.month = of_month
$$;
