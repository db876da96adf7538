-- Removes a batch of what imports leave behind. The uploaded rows of ended imports are removed at once, and so
-- is the list of their contacts, whose rows are so small that a hundred times as many are a batch.
-- Results and the imports themselves are removed a week after the end.
CREATE OR REPLACE FUNCTION remove_old_imports(batch integer)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
  DECLARE
    total integer;
    removed integer;
  BEGIN
    DELETE FROM import_chunks c WHERE c.ctid = ANY (ARRAY(
      SELECT c.ctid FROM imports i JOIN import_chunks c ON c.import_id = i.id
      WHERE i.finished_at IS NOT NULL LIMIT batch));
    GET DIAGNOSTICS total = ROW_COUNT;
    DELETE FROM import_contacts c WHERE c.ctid = ANY (ARRAY(
      SELECT c.ctid FROM imports i JOIN import_contacts c ON c.import_id = i.id
      WHERE i.finished_at IS NOT NULL LIMIT 100 * batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM import_results r WHERE r.ctid = ANY (ARRAY(
      SELECT r.ctid FROM imports i JOIN import_results r ON r.import_id = i.id
      WHERE i.finished_at <= outdial_now() - interval '7 days' LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM imports i WHERE i.id = ANY (ARRAY(
      SELECT i.id FROM imports i
      WHERE i.finished_at <= outdial_now() - interval '7 days'
        AND NOT EXISTS (SELECT FROM import_chunks c WHERE c.import_id = i.id)
        AND NOT EXISTS (SELECT FROM import_contacts c WHERE c.import_id = i.id)
        AND NOT EXISTS (SELECT FROM import_results r WHERE r.import_id = i.id)
      LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN total + removed;
  END
$$;
