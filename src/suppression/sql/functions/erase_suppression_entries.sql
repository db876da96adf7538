-- The entries of an erased number in the suppression ledger keep its erased form, without the reason, which is free
-- text. Only an erased form replaces a number, and only in a team whose rows the transaction sees.
CREATE OR REPLACE FUNCTION erase_suppression_entries(team uuid, number text, erased text) RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE suppression_entries SET phone_number = erased, reason = NULL
  WHERE team_id = team AND phone_number = number AND number LIKE '+%' AND erased LIKE 'erased:%'
    AND team_id::text = ANY (string_to_array(coalesce(nullif(current_setting('outdial.team_id', true), ''), team::text), ','));
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$$;
