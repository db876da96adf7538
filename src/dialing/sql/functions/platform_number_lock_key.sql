-- The key of the advisory lock of a person's number on the whole platform. Whatever decides about a number takes it
-- shared, before `number_lock_key`; an addition to the platform's Do Not Call list takes it exclusively.
CREATE OR REPLACE FUNCTION platform_number_lock_key(number text)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(number, 9) $$;
