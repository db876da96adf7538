-- Tries the locks of a batch of calls to be claimed, as `try_locks` does. Further calls of a team to the same
-- number get null, because their facts lack the effects of the first.
CREATE OR REPLACE FUNCTION try_locks_of_calls(ids uuid[], unseen integer)
  RETURNS TABLE(teams text, locks text[])
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''), array_agg(each.lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team,
        CASE WHEN asked.team IS NULL OR row_number() OVER (PARTITION BY asked.team, person_number(asked.number) ORDER BY asked.n) = 1
          THEN try_locks(asked.team, asked.number, asked.exclusively) END AS lock
      FROM (
        SELECT a.n, t.id AS team, r.phone_number AS number,
          needs_exclusive_lock(t.id, t.monthly_call_limit, t.max_concurrent_calls, unseen) AS exclusively
        FROM unnest(ids) WITH ORDINALITY AS a (id, n)
        LEFT JOIN call_requests r ON r.id = a.id
        LEFT JOIN teams t ON t.id = r.team_id
        OFFSET 0
      ) asked
    ) each; END
$$;
