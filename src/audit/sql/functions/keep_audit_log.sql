-- Refuses to change or remove a row of the audit log, to the owner as well, except in the function of its retention.
CREATE OR REPLACE FUNCTION keep_audit_log()
  RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  callers text;
BEGIN
  GET DIAGNOSTICS callers = PG_CONTEXT;
  IF TG_OP = 'DELETE' AND callers ~ 'PL/pgSQL function delete_old_audit\(' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'rows of the audit log are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END
$$;
