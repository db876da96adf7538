-- Removes consents that ended these days ago or earlier, and never one that ended less than a year ago or has not
-- ended. An opt-out is removed together with the consents that it ended. Returns how many rows it removed; at most
-- `most` ends and `most` expired consents are the occasion of one run.
CREATE OR REPLACE FUNCTION delete_old_consents(days integer, most integer) RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  before timestamptz := outdial_now() - make_interval(days => greatest(delete_old_consents.days, 365));
  old_endings uuid[];
  old_consents uuid[];
  total integer;
  removed integer;
BEGIN
  old_endings := ARRAY(SELECT e.id FROM consent_endings e WHERE e.ended_at <= before ORDER BY e.ended_at LIMIT most);
  old_consents := ARRAY(
    SELECT c.id FROM consents c WHERE c.id IN (
      SELECT e.consent_id FROM consent_endings e WHERE e.id = ANY (old_endings)
      UNION ALL
      SELECT o.id FROM consent_endings e
      JOIN consents o ON o.team_id = e.team_id AND o.phone_number = e.phone_number AND o.granted_at <= e.ended_at
      WHERE e.id = ANY (old_endings) AND e.consent_id IS NULL
      UNION ALL
      (SELECT x.id FROM consents x WHERE x.expires_at <= before ORDER BY x.expires_at LIMIT most)
    )
    FOR UPDATE);
  DELETE FROM consent_endings e USING consents c
  WHERE c.id = ANY (old_consents) AND e.team_id = c.team_id AND e.consent_id = c.id;
  GET DIAGNOSTICS total = ROW_COUNT;
  DELETE FROM consents c WHERE c.id = ANY (old_consents);
  GET DIAGNOSTICS removed = ROW_COUNT;
  total := total + removed;
  DELETE FROM consent_endings e WHERE e.id = ANY (old_endings) AND e.consent_id IS NULL;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN total + removed;
END
$$;
