-- private
-- How long a team keeps its ended calls; null if it keeps them without end. The result is never shorter than
-- the periods for which rules count calls. Rules count 30 days of calls to a number, the month of the plan's
-- limit, and the longest cap of the team's campaigns. A day of such a cap may have 25 hours.
CREATE OR REPLACE FUNCTION call_retention(team uuid)
  RETURNS interval
  LANGUAGE sql
  STABLE
  SET search_path = public, pg_temp
AS $$
    SELECT greatest(
      coalesce(t.call_retention_days, s.call_retention_days) * interval '24 hours',
      31 * interval '24 hours',
      (SELECT max((cap.duration #>> '{}')::interval) + interval '48 hours'
        FROM campaign_versions v CROSS JOIN LATERAL (
          SELECT jsonb_path_query(v.definition, '$.caps.perNumber[*].per')
          UNION ALL
          SELECT v.definition #> '{caps,afterConversation}'
        ) cap (duration)
        WHERE v.team_id = t.id AND v.definition_format IS NOT NULL))
    FROM teams t CROSS JOIN platform_settings s
    WHERE t.id = team AND coalesce(t.call_retention_days, s.call_retention_days) > 0
$$;
