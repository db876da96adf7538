-- private
-- Returns the columns of a call that the event of its result keeps; `write_call_event` writes the same
-- columns. The first message and the result are not copied: the feed reads them from the call.
CREATE OR REPLACE FUNCTION call_event_data(r call_requests)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
AS $$
    SELECT jsonb_build_object(
      'id', r.id, 'agent_id', r.agent_id, 'enrollment_id', r.enrollment_id, 'accepted_at', r.accepted_at, 'status', r.status,
      'reason', r.reason, 'runs_at', r.runs_at, 'expires_at', r.expires_at, 'contact_id', r.contact_id,
      'phone_number', r.phone_number, 'caller_id', r.caller_id, 'answered_at', r.answered_at, 'ended_at', r.ended_at,
      'duration_seconds', r.duration_seconds, 'unknown_placeholders', r.unknown_placeholders)
$$;
