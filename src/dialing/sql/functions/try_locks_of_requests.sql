-- Tries the locks of a batch of requests, as `try_locks` does. A request with an unknown API key is refused,
-- so nothing is locked for it. `key_locks` has false where another transaction holds the lock of the
-- Idempotency-Key, and null where no key was sent. `unseen`: the distance from the plan's limit within which
-- the team's lock is exclusive.
CREATE OR REPLACE FUNCTION try_locks_of_requests(hashes bytea[], numbers text[], keys text[], unseen integer)
  RETURNS TABLE(teams text, locks text[], key_locks boolean[])
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''),
      array_agg(each.lock ORDER BY each.n), array_agg(each.key_lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team, try_locks(asked.team, asked.number, asked.exclusively) AS lock,
        CASE WHEN asked.team IS NOT NULL AND asked.key IS NOT NULL
          THEN pg_try_advisory_xact_lock(idempotency_lock_key(asked.team, asked.key)) END AS key_lock
      FROM (
        SELECT a.n, t.id AS team, a.number, a.key,
          needs_exclusive_lock(t.id, t.monthly_call_limit, NULL, unseen) AS exclusively
        FROM unnest(hashes, numbers, keys) WITH ORDINALITY AS a (hash, number, key, n)
        LEFT JOIN api_keys k ON k.key_hash = a.hash AND key_is_live(k.revoked_at, k.expires_at)
        LEFT JOIN teams t ON t.id = k.team_id
        OFFSET 0
      ) asked
    ) each; END
$$;
