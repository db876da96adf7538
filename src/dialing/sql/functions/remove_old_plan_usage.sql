-- Removes counts of the plan's usage of months that no rule reads any more. A pending call counts only if it
-- was due at its acceptance, or was requeued after a claim. It counts in the month of that instant. Such a
-- call is not pending two months later, so older usage is not released any more.
CREATE OR REPLACE FUNCTION remove_old_plan_usage(batch integer)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH old AS MATERIALIZED (
      SELECT p.ctid AS row FROM plan_usage p
      WHERE p.month < (SELECT date_trunc('month', outdial_now() AT TIME ZONE 'UTC') - interval '3 months')::date
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM plan_usage p WHERE p.ctid = ANY (ARRAY(SELECT old.row FROM old))
      RETURNING 1
    )
    SELECT count(*)::integer FROM removed
$$;
