-- Refuses to change or remove an entry of the suppression ledger, to the owner as well, except in the functions of the
-- erasure and of the retention.
CREATE OR REPLACE FUNCTION keep_suppression_entries()
  RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  callers text;
BEGIN
  GET DIAGNOSTICS callers = PG_CONTEXT;
  IF TG_OP = 'UPDATE' AND callers ~ 'PL/pgSQL function erase_suppression_entries\(' THEN RETURN NULL; END IF;
  IF TG_OP = 'DELETE' AND callers ~ 'PL/pgSQL function delete_old_suppression_entries\(' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'entries of the suppression ledger are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END
$$;
