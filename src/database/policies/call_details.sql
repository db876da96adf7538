ALTER TABLE call_details ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- The processes see the rows of the teams that their transaction names; a month's partition by itself they may not read.
DROP POLICY IF EXISTS own_team ON call_details;
CREATE POLICY own_team ON call_details TO outdial_app
  USING (team_id = ANY ((SELECT string_to_array(current_setting('outdial.team_id', true), ',')::uuid[])::uuid[]));

-- The owner migrates and serves the operator.
DROP POLICY IF EXISTS every_team ON call_details;
CREATE POLICY every_team ON call_details TO CURRENT_USER USING (true);
