-- Returns the subject of an event's deliveries, which is the subject of the event. If the event has no
-- subject but names a contact, the result is the hash of the contact's number. By the subject, an erasure
-- finds the answers of receivers.
CREATE OR REPLACE FUNCTION subject_of_event(team uuid, subject bigint, data jsonb)
  RETURNS bigint
  LANGUAGE sql
  STABLE
  SET search_path = public, pg_temp
AS $$
    SELECT coalesce(subject, (
      SELECT number_lock_key(team, c.phone_number) FROM contacts c
      WHERE c.team_id = team AND c.id = (data ->> 'contact_id')::uuid AND NOT starts_with(c.phone_number, 'erased:')))
$$;
