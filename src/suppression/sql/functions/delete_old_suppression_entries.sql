-- Looks at the next `most` entries of the suppression ledger, after a position, that are older than five years, the term
-- for records of opt-outs in 16 CFR 310.5. Removes those whose number is on no list of the team or the platform any more.
-- Returns the position of the last entry that it looked at, and how many it removed; no row: there was none. The entries
-- that stay are so looked at once in a run, however many they are.
CREATE OR REPLACE FUNCTION delete_old_suppression_entries(after_at timestamptz, after_id bigint, most integer)
  RETURNS TABLE(last_at timestamptz, last_id bigint, removed integer)
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  before timestamptz := now() - interval '5 years';
BEGIN
  RETURN QUERY
  WITH looked_at AS MATERIALIZED (
    SELECT e.* FROM suppression_entries e
    WHERE e.recorded_at < before AND (e.recorded_at, e.id) > (after_at, after_id)
    ORDER BY e.recorded_at, e.id LIMIT most
  ), gone AS (
    DELETE FROM suppression_entries WHERE id IN (
      SELECT s.id FROM looked_at e JOIN suppression_entries s ON s.id = e.id
      WHERE coalesce(e.expires_at, '-infinity') < before
        AND NOT EXISTS (SELECT FROM do_not_call d WHERE d.team_id = e.team_id AND d.phone_number = e.phone_number)
        AND NOT EXISTS (SELECT FROM limited_do_not_call l WHERE l.team_id = e.team_id AND l.phone_number = e.phone_number)
        AND NOT EXISTS (SELECT FROM platform_do_not_call p WHERE e.team_id IS NULL AND p.phone_number = e.phone_number)
      FOR UPDATE OF s SKIP LOCKED
    )
    RETURNING 1
  )
  SELECT e.recorded_at, e.id, (SELECT count(*)::integer FROM gone) FROM looked_at e
  ORDER BY e.recorded_at DESC, e.id DESC LIMIT 1;
END
$$;
