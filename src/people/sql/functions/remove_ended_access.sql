-- Removes a batch of sessions without a request for `idle` or older than `longest`, and a batch of expired links.
-- Rows that another process has locked are skipped. Returns the larger number.
CREATE OR REPLACE FUNCTION remove_ended_access(idle interval, longest interval, batch integer)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH ended AS MATERIALIZED (
      SELECT s.token_hash FROM sessions s
      WHERE s.last_seen_at <= now() - idle OR s.created_at <= now() - longest
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), expired AS MATERIALIZED (
      SELECT l.token_hash FROM access_links l
      WHERE l.expires_at <= now()
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), sessions_removed AS (
      DELETE FROM sessions s WHERE s.token_hash = ANY (ARRAY(SELECT ended.token_hash FROM ended)) RETURNING 1
    ), links_removed AS (
      DELETE FROM access_links l WHERE l.token_hash = ANY (ARRAY(SELECT expired.token_hash FROM expired)) RETURNING 1
    )
    SELECT greatest(
      (SELECT count(*) FROM sessions_removed),
      (SELECT count(*) FROM links_removed)
    )::integer
$$;
