-- Returns the teams of live API keys, separated by commas, for the scope of a batch of requests.
CREATE OR REPLACE FUNCTION teams_of_keys(hashes bytea[])
  RETURNS text
  LANGUAGE plpgsql
  STABLE SECURITY DEFINER
AS $$ BEGIN RETURN (SELECT coalesce(string_agg(DISTINCT k.team_id::text, ','), '') FROM api_keys k
      WHERE k.key_hash = ANY (hashes) AND key_is_live(k.revoked_at, k.expires_at)); END
$$;
