-- The key of the advisory lock of a number. Whatever decides about a number takes it, and then `team_lock_key`.
CREATE OR REPLACE FUNCTION number_lock_key(team uuid, phone_number text)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(team::text || phone_number, 1) $$;
