-- Refuses to change or remove a row of the ledger of consents, to the owner as well, except in the functions of its
-- retention and of the erasure.
CREATE OR REPLACE FUNCTION keep_consents()
  RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  callers text;
BEGIN
  GET DIAGNOSTICS callers = PG_CONTEXT;
  IF TG_OP = 'DELETE' AND callers ~ 'PL/pgSQL function delete_old_consents\(' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND callers ~ 'PL/pgSQL function erase_consent(s|_endings)\(' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'rows of the ledger of consents are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END
$$;
