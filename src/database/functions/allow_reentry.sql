-- Takes back that a contact has one enrollment of a campaign at most. The key is that of versions which know no re-entry, and name it
-- where they enroll. Waits for the table's lock briefly, because everything else on the table waits behind it.
CREATE OR REPLACE FUNCTION allow_reentry()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$ BEGIN
    PERFORM set_config('lock_timeout', '100ms', true);
    IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'uq_enrollments_campaign_contact') THEN
      ALTER TABLE enrollments DROP CONSTRAINT IF EXISTS uq_enrollments_campaign_contact;
    END IF;
END $$;

REVOKE EXECUTE ON FUNCTION allow_reentry FROM PUBLIC;
GRANT EXECUTE ON FUNCTION allow_reentry TO outdial_app;
