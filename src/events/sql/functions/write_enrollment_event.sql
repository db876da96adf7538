-- The event of an enrollment that has ended. Its source, which is free text, is not copied. It is written
-- without `add_event`, because enrollments end by the thousand. In releases before
-- `write_events_of_new_enrollments`, it also writes the event of a new enrollment. After a step back to such
-- a release, it does so again.
CREATE OR REPLACE FUNCTION write_enrollment_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  now timestamptz := outdial_now();
BEGIN
  INSERT INTO events (id, team_id, type, at, data)
  VALUES (
    new_call_id(now), NEW.team_id, CASE TG_OP WHEN 'INSERT' THEN 'enrollment.created' ELSE 'enrollment.ended' END, now,
    jsonb_build_object('id', NEW.id, 'status', NEW.status, 'contact_id', NEW.contact_id, 'campaign_id', NEW.campaign_id,
      'version_id', NEW.version_id, 'entry', NEW.entry));
  RETURN NULL;
END $$;
