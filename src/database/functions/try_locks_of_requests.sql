CREATE OR REPLACE FUNCTION try_locks_of_requests(hashes bytea[], numbers text[], keys text[], unseen integer)
  RETURNS TABLE(teams text, locks text[], key_locks boolean[])
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$ BEGIN RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''),
      array_agg(each.lock ORDER BY each.n), array_agg(each.key_lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team, CASE
          WHEN asked.team IS NULL THEN 'shared'
          WHEN NOT pg_try_advisory_xact_lock(number_lock_key(asked.team, asked.number)) THEN NULL
          WHEN asked.counted THEN
            CASE WHEN pg_try_advisory_xact_lock(team_lock_key(asked.team)) THEN 'exclusive' END
          WHEN pg_try_advisory_xact_lock_shared(team_lock_key(asked.team)) THEN 'shared'
        END AS lock,
        CASE WHEN asked.team IS NOT NULL AND asked.key IS NOT NULL
          THEN pg_try_advisory_xact_lock(idempotency_lock_key(asked.team, asked.key)) END AS key_lock
      FROM (
        SELECT a.n, t.id AS team, a.number, a.key, CASE WHEN t.monthly_call_limit IS NULL THEN false
      ELSE t.monthly_call_limit - (
        SELECT coalesce(sum(u.used), 0) FROM plan_usage u
        WHERE u.team_id = t.id AND u.month = date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date
      ) <= unseen END AS counted
        FROM unnest(hashes, numbers, keys) WITH ORDINALITY AS a (hash, number, key, n)
        LEFT JOIN api_keys k ON k.key_hash = a.hash AND k.revoked_at IS NULL
        LEFT JOIN teams t ON t.id = k.team_id
        OFFSET 0
      ) asked
    ) each; END
$$;

REVOKE EXECUTE ON FUNCTION try_locks_of_requests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION try_locks_of_requests TO outdial_app;
