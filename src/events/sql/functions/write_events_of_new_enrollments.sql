-- The events of the enrollments that a statement has created, written in one statement: an import enrolls
-- hundreds of contacts in a statement.
CREATE OR REPLACE FUNCTION write_events_of_new_enrollments()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  now timestamptz := outdial_now();
BEGIN
  INSERT INTO events (id, team_id, type, at, data)
  SELECT new_call_id(now), e.team_id, 'enrollment.created', now,
    jsonb_build_object('id', e.id, 'status', e.status, 'contact_id', e.contact_id, 'campaign_id', e.campaign_id,
      'version_id', e.version_id, 'entry', e.entry)
  FROM after e;
  RETURN NULL;
END $$;
