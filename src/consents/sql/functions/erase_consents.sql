-- The erasure of a person: the consents of the number have its erased form instead, and neither source nor evidence.
-- Level, purpose, voice and dates stay as proof, until `delete_old_consents` removes them. It changes only
-- consents of a team whose rows the transaction sees.
CREATE OR REPLACE FUNCTION erase_consents(team uuid, number text, erased text)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE consents c SET phone_number = erase_consents.erased, source = NULL, evidence = NULL
  WHERE c.team_id = erase_consents.team AND c.phone_number = erase_consents.number
    AND erase_consents.number LIKE '+%' AND erase_consents.erased LIKE 'erased:%'
    AND c.team_id::text = ANY (
      string_to_array(coalesce(nullif(current_setting('outdial.team_id', true), ''), erase_consents.team::text), ','));
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$$;
