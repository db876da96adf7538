-- Drops the constraint by which a contact has at most one enrollment of a campaign. Versions without re-entry
-- name this constraint when they enroll. Waits only briefly for the table's lock, because every other
-- statement on the table would wait behind it.
CREATE OR REPLACE FUNCTION allow_reentry()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN
    PERFORM set_config('lock_timeout', '100ms', true);
    IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'uq_enrollments_campaign_contact') THEN
      ALTER TABLE enrollments DROP CONSTRAINT IF EXISTS uq_enrollments_campaign_contact;
    END IF;
END $$;
