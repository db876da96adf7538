-- Whether an instant is yet to come. The clock itself is volatile, which would change the plans of the statements that look keys up;
-- within one statement its moves do not matter here. Only keys with an end pay for the call.
CREATE OR REPLACE FUNCTION is_ahead(instant timestamptz)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE PARALLEL SAFE
AS $$ BEGIN RETURN instant > outdial_now(); END $$;

REVOKE EXECUTE ON FUNCTION is_ahead FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_ahead TO outdial_app;
