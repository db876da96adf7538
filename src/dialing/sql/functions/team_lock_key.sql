-- The key of the advisory lock of a team, which is taken after that of a number.
CREATE OR REPLACE FUNCTION team_lock_key(team uuid)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(team::text, 2) $$;
