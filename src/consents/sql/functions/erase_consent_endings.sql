-- As `erase_consents`, for the ends of the consents: the erased form instead of the number, and no reason.
CREATE OR REPLACE FUNCTION erase_consent_endings(team uuid, number text, erased text)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE consent_endings e SET phone_number = erase_consent_endings.erased, reason = NULL
  WHERE e.team_id = erase_consent_endings.team AND e.phone_number = erase_consent_endings.number
    AND erase_consent_endings.number LIKE '+%' AND erase_consent_endings.erased LIKE 'erased:%'
    AND e.team_id::text = ANY (
      string_to_array(coalesce(nullif(current_setting('outdial.team_id', true), ''), erase_consent_endings.team::text), ','));
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$$;
