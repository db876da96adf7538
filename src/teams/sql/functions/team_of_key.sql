-- Returns the team of a live API key, for transactions that begin with the key of a request.
CREATE OR REPLACE FUNCTION team_of_key(hash bytea)
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE SECURITY DEFINER
AS $$ BEGIN RETURN (SELECT k.team_id FROM api_keys k WHERE k.key_hash = hash AND key_is_live(k.revoked_at, k.expires_at)); END $$;
