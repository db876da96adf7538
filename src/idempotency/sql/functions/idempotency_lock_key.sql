-- The key of the advisory lock of an `Idempotency-Key`.
CREATE OR REPLACE FUNCTION idempotency_lock_key(team uuid, key text)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(team::text || key, 3) $$;
