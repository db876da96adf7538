-- The event of a call that was scheduled, was accepted by its carrier, has an unknown end, or has ended. With the
-- argument `answered`, the event of its answer. It is written without `add_event` and without JSON, because each
-- call writes two or three. The first message and the result are not copied: the feed reads them from the call.
-- The transaction already has its id, on which `number_events` relies, because it has changed the call.
CREATE OR REPLACE FUNCTION write_call_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  now timestamptz := outdial_now();
BEGIN
  INSERT INTO events (
    id, team_id, type, at, subject,
    call_id, agent_id, enrollment_id, accepted_at, status, reason, runs_at, expires_at, contact_id,
    phone_number, caller_id, answered_at, ended_at, duration_seconds, unknown_placeholders)
  VALUES (
    new_call_id(now), NEW.team_id,
    CASE WHEN TG_ARGV[0] = 'answered' THEN 'call.answered' ELSE CASE NEW.status WHEN 'scheduled' THEN 'call.scheduled'
      WHEN 'in_progress' THEN 'call.started' WHEN 'dial_unknown' THEN 'call.unknown' ELSE 'call.ended' END END,
    now, CASE WHEN NOT starts_with(NEW.phone_number, 'erased:') THEN number_lock_key(NEW.team_id, NEW.phone_number) END,
    NEW.id, NEW.agent_id, NEW.enrollment_id, NEW.accepted_at, NEW.status, NEW.reason, NEW.runs_at, NEW.expires_at, NEW.contact_id,
    NEW.phone_number, NEW.caller_id, NEW.answered_at, NEW.ended_at, NEW.duration_seconds, NEW.unknown_placeholders);
  RETURN NULL;
END $$;
