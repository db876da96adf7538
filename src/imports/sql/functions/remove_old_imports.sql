-- Removes a batch of what imports leave behind. The uploaded rows of ended imports are removed at once, and so are
-- imports that were held for too long. Results,
-- the list of the contacts and the imports themselves are removed a week after the end, or after the end of the
-- undo. The rows of the list are so small that a hundred times as many are a batch.
CREATE OR REPLACE FUNCTION remove_old_imports(batch integer)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
  DECLARE
    before timestamptz := outdial_now() - interval '7 days';
    total integer;
    removed integer;
  BEGIN
    DELETE FROM import_chunks c WHERE c.ctid = ANY (ARRAY(
      SELECT c.ctid FROM imports i JOIN import_chunks c ON c.import_id = i.id
      WHERE i.finished_at IS NOT NULL LIMIT batch));
    GET DIAGNOSTICS total = ROW_COUNT;
    DELETE FROM import_chunks c WHERE c.ctid = ANY (ARRAY(
      SELECT c.ctid FROM imports i JOIN import_chunks c ON c.import_id = i.id
      WHERE i.status = 'held' AND i.leased_until <= outdial_now() LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM imports i WHERE i.id = ANY (ARRAY(
      SELECT i.id FROM imports i
      WHERE i.status = 'held' AND i.leased_until <= outdial_now()
        AND NOT EXISTS (SELECT FROM import_chunks c WHERE c.import_id = i.id)
      LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM import_contacts c WHERE c.ctid = ANY (ARRAY(
      SELECT c.ctid FROM imports i JOIN import_contacts c ON c.import_id = i.id
      WHERE i.finished_at <= before AND i.status <> 'undoing' AND coalesce(i.undone_at <= before, true) LIMIT 100 * batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM import_results r WHERE r.ctid = ANY (ARRAY(
      SELECT r.ctid FROM imports i JOIN import_results r ON r.import_id = i.id
      WHERE i.finished_at <= before AND i.status <> 'undoing' AND coalesce(i.undone_at <= before, true) LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM imports i WHERE i.id = ANY (ARRAY(
      SELECT i.id FROM imports i
      WHERE i.finished_at <= before AND i.status <> 'undoing' AND coalesce(i.undone_at <= before, true)
        AND NOT EXISTS (SELECT FROM import_chunks c WHERE c.import_id = i.id)
        AND NOT EXISTS (SELECT FROM import_contacts c WHERE c.import_id = i.id)
        AND NOT EXISTS (SELECT FROM import_results r WHERE r.import_id = i.id)
      LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN total + removed;
  END
$$;
