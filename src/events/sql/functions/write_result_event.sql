-- The event of a result that was recorded: its call as it is now.
CREATE OR REPLACE FUNCTION write_result_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN
    PERFORM add_event(r.team_id, 'call.result', r.phone_number, call_event_data(r))
    FROM call_requests r WHERE r.id = NEW.call_request_id;
    RETURN NULL;
  END $$;
