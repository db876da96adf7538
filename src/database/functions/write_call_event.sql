-- The event of a call that was scheduled, was accepted by its carrier, has an unknown end, or has ended.
CREATE OR REPLACE FUNCTION write_call_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$ BEGIN
    PERFORM add_event(NEW.team_id,
      CASE NEW.status WHEN 'scheduled' THEN 'call.scheduled' WHEN 'in_progress' THEN 'call.started'
       WHEN 'dial_unknown' THEN 'call.unknown' ELSE 'call.ended' END,
      NEW.phone_number, call_event_data(NEW));
    RETURN NULL;
  END $$;

REVOKE EXECUTE ON FUNCTION write_call_event FROM PUBLIC;
