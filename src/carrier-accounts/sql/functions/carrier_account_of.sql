-- Returns a carrier account with its credentials as they are stored, for a dial, a look-up or a report, whose
-- request names the account and no team. `previous` is the credentials before the last rotation, while reports
-- with them are accepted.
CREATE OR REPLACE FUNCTION carrier_account_of(account_id uuid)
  RETURNS TABLE(team_id uuid, carrier text, credentials text, previous text)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT a.team_id, a.carrier, a.credentials,
      CASE WHEN a.previous_until > outdial_now() THEN a.previous_credentials END
    FROM carrier_accounts a
    WHERE a.id = account_id AND a.deleted_at IS NULL
$$;
