-- Corrects the phase of a call whose status a statement changed alone, such as a correction by hand. Its trigger
-- runs after the statement, so that a statement that writes the phase pays only for one comparison.
CREATE OR REPLACE FUNCTION say_phase_of_moved_call()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN
    UPDATE call_requests r SET phase = CASE r.status WHEN 'scheduled' THEN -1 WHEN 'queued' THEN 0
     WHEN 'dialing' THEN 1 WHEN 'in_progress' THEN 1 WHEN 'dial_unknown' THEN 1 ELSE 2 END WHERE r.id = NEW.id;
    RETURN NULL;
  END $$;
