-- The event of an enrollment that was created or has ended. Its source, which is free text, is not copied.
CREATE OR REPLACE FUNCTION write_enrollment_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$ BEGIN
    PERFORM add_event(NEW.team_id,
      CASE TG_OP WHEN 'INSERT' THEN 'enrollment.created' ELSE 'enrollment.ended' END, NULL,
      jsonb_build_object('id', NEW.id, 'status', NEW.status, 'contact_id', NEW.contact_id, 'campaign_id', NEW.campaign_id,
        'version_id', NEW.version_id, 'entry', NEW.entry));
    RETURN NULL;
  END $$;

REVOKE EXECUTE ON FUNCTION write_enrollment_event FROM PUBLIC;
