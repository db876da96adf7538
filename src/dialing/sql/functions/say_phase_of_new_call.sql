-- Sets the phase of a call that a statement inserts without it.
CREATE OR REPLACE FUNCTION say_phase_of_new_call()
  RETURNS trigger
  LANGUAGE plpgsql
AS $$ BEGIN
    NEW.phase := CASE NEW.status WHEN 'scheduled' THEN -1 WHEN 'queued' THEN 0
     WHEN 'dialing' THEN 1 WHEN 'in_progress' THEN 1 WHEN 'dial_unknown' THEN 1 ELSE 2 END;
    RETURN NEW;
  END $$;
