-- Writes the revocation of a consent to the audit log.
CREATE OR REPLACE FUNCTION audit_revocation()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
BEGIN
  PERFORM write_audit(
    new.team_id, 'consent.revoked', 'consent', new.consent_id::text, NULL, jsonb_build_object('ended_at', new.ended_at)
  );
  RETURN NULL;
END
$$;
