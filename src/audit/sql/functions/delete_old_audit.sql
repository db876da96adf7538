-- Removes rows of the audit log that are older than these days, and never younger than 30 days. Returns how many;
-- at most `most`.
CREATE OR REPLACE FUNCTION delete_old_audit(days integer, most integer) RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  removed integer;
BEGIN
  DELETE FROM audit_log WHERE id IN (
    SELECT id FROM audit_log WHERE at < now() - make_interval(days => greatest(days, 30))
    ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
