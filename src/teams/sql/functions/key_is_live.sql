-- Whether an API key is known: neither revoked nor expired. Postgres replaces an invocation of the function
-- by its expression.
CREATE OR REPLACE FUNCTION key_is_live(revoked_at timestamptz, expires_at timestamptz)
  RETURNS boolean
  LANGUAGE sql
  STABLE PARALLEL SAFE
AS $$ SELECT revoked_at IS NULL AND (expires_at IS NULL OR is_ahead(expires_at)) $$;
