-- Whether an instant is in the future. The function is stable although the clock is volatile: a volatile
-- function would change the plans of the statements that look up keys. It is evaluated only for keys that
-- expire.
CREATE OR REPLACE FUNCTION is_ahead(instant timestamptz)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE PARALLEL SAFE
AS $$ BEGIN RETURN instant > outdial_now(); END $$;
