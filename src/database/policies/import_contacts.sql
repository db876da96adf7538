ALTER TABLE import_contacts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- The processes see the rows of the teams that their transaction names.
DROP POLICY IF EXISTS own_team ON import_contacts;
CREATE POLICY own_team ON import_contacts TO outdial_app
  USING (team_id = ANY ((SELECT string_to_array(current_setting('outdial.team_id', true), ',')::uuid[])::uuid[]));

-- The owner migrates and serves the operator.
DROP POLICY IF EXISTS every_team ON import_contacts;
CREATE POLICY every_team ON import_contacts TO CURRENT_USER USING (true);
