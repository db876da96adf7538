-- Returns the live API keys among those with these SHA-256 hashes. `scopes` is null if the key has all
-- scopes. `lasts_ms` is the time until the key expires; null if it does not expire.
CREATE OR REPLACE FUNCTION known_keys(hashes bytea[])
  RETURNS TABLE(key_hash bytea, team_id uuid, scopes text[], lasts_ms double precision)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    SELECT k.key_hash, k.team_id, k.scopes,
      (extract(epoch FROM k.expires_at - outdial_now()) * 1000)::double precision
    FROM api_keys k
    WHERE k.key_hash = ANY (hashes) AND key_is_live(k.revoked_at, k.expires_at)
$$;
