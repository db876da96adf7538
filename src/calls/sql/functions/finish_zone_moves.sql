-- Records that all pending calls and enrollments have been decided by the zone data in force, unless newer ones
-- are in force since.
CREATE OR REPLACE FUNCTION finish_zone_moves(given_version text)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
AS $$
  UPDATE platform_settings SET zone_data_moved = given_version WHERE zone_data_version = given_version
$$;
