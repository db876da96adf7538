-- Writes an event in the transaction of the change. The sequencer numbers it after the commit. `number` is
-- the phone number in `data`, by which an erasure finds the event; null for none. The function runs with the
-- rights of its caller.
CREATE OR REPLACE FUNCTION add_event(team uuid, event_type text, number text, data jsonb)
  RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  now timestamptz := outdial_now();
  -- The transaction needs its id before the event gets its position: see `number_events`.
  transaction xid8 := pg_current_xact_id();
BEGIN
  INSERT INTO events (id, team_id, type, at, subject, data)
  VALUES (new_call_id(now), team, event_type, now,
    CASE WHEN NOT starts_with(number, 'erased:') THEN number_lock_key(team, number) END, data);
END $$;
