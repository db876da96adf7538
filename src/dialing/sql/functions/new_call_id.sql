-- A UUID of version 7 whose time is the given instant, to about a microsecond. The id of a call thus leads to
-- the month of its details, also where `outdial_now()` is not the real time.
CREATE OR REPLACE FUNCTION new_call_id(at timestamptz)
  RETURNS uuid
  LANGUAGE sql
  VOLATILE PARALLEL SAFE
AS $$ SELECT uuidv7(at - clock_timestamp()) $$;
