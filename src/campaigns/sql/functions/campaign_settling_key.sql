-- The key of the advisory lock of a campaign under which enrollments enter steps without a dial. It is not the
-- lock of its claims, so counted claims and settling enrollments do not wait for each other.
CREATE OR REPLACE FUNCTION campaign_settling_key(campaign uuid)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(campaign::text, 7) $$;
