-- The subject of an event's deliveries: that of the event, or of an event that names a contact only, the hash of the contact's number. By it
-- an erasure finds what receivers have answered.
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

REVOKE EXECUTE ON FUNCTION subject_of_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION subject_of_event TO outdial_app;
