-- Removes Do Not Call entries that expired a day ago or earlier. The ledger keeps until when they held. Returns how
-- many; at most `most`.
CREATE OR REPLACE FUNCTION delete_expired_do_not_call(most integer) RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  removed integer;
BEGIN
  DELETE FROM limited_do_not_call WHERE (team_id, phone_number, id) IN (
    SELECT l.team_id, l.phone_number, l.id FROM limited_do_not_call l
    WHERE l.expires_at < outdial_now() - interval '1 day'
    ORDER BY l.expires_at LIMIT most FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
