-- The key of the advisory lock of a campaign: exclusive where a concurrency or pacing limit is counted,
-- shared otherwise.
CREATE OR REPLACE FUNCTION campaign_lock_key(campaign uuid)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(campaign::text, 4) $$;
