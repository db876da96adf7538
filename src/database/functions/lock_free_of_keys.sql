CREATE OR REPLACE FUNCTION lock_free_of_keys(hashes bytea[], numbers text[], unseen integer)
  RETURNS TABLE(teams text, locks text[])
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$ BEGIN RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''), array_agg(each.lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team,
        CASE
          WHEN asked.team IS NULL THEN 'shared'
          WHEN row_number() OVER (PARTITION BY asked.team, asked.number ORDER BY asked.n) > 1 THEN NULL
          WHEN asked.counted AND row_number() OVER (PARTITION BY asked.team ORDER BY asked.n) > 1 THEN NULL
          WHEN NOT pg_try_advisory_xact_lock(number_lock_key(asked.team, asked.number)) THEN NULL
          WHEN asked.counted THEN
            CASE WHEN pg_try_advisory_xact_lock(team_lock_key(asked.team)) THEN 'exclusive' END
          WHEN pg_try_advisory_xact_lock_shared(team_lock_key(asked.team)) THEN 'shared'
        END AS lock
      FROM (
      SELECT n, t.id AS team, number, CASE WHEN t.monthly_call_limit IS NULL THEN false
      ELSE t.monthly_call_limit - (
        SELECT coalesce(sum(u.used), 0) FROM plan_usage u
        WHERE u.team_id = t.id AND u.month = date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date
      ) <= unseen END AS counted
      FROM unnest(hashes, numbers) WITH ORDINALITY AS a (hash, number, n)
      LEFT JOIN api_keys k ON k.key_hash = a.hash AND k.revoked_at IS NULL
      LEFT JOIN teams t ON t.id = k.team_id OFFSET 0) asked
    ) each; END
$$;

REVOKE EXECUTE ON FUNCTION lock_free_of_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_free_of_keys TO outdial_app;
