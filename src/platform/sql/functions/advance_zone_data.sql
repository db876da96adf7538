-- Puts newer zone data in force. Data that are not newer change nothing. Returns whether they were newer.
CREATE OR REPLACE FUNCTION advance_zone_data(given_version text, given_data text)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
BEGIN
  -- After z comes za, so that the order of the bytes is that of the versions.
  UPDATE platform_settings SET
    zone_data_version = given_version, zone_data = given_data, zone_data_since = outdial_now(),
    zone_data_version_before = zone_data_version, zone_data_before = zone_data
  WHERE zone_data_version IS NULL OR zone_data_version < given_version COLLATE "C";
  RETURN FOUND;
END
$$;
