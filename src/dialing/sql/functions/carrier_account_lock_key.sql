-- The key of the advisory lock of a carrier account with limits, which is taken after that of its team.
CREATE OR REPLACE FUNCTION carrier_account_lock_key(account uuid)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(account::text, 12) $$;
