-- Notes when API keys were last used, to the minute. `ages_ms` has how long ago each key was used. A row that
-- another process is writing is left out: it gets nearly the same instant.
CREATE OR REPLACE FUNCTION note_key_uses(hashes bytea[], ages_ms double precision[])
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH used AS MATERIALIZED (
      SELECT u.hash, date_trunc('minute', outdial_now() - u.age_ms * interval '1 millisecond') AS at
      FROM unnest(hashes, ages_ms) AS u (hash, age_ms)
    ), behind AS MATERIALIZED (
      SELECT k.id, used.at FROM api_keys k
      JOIN used ON used.hash = k.key_hash
      WHERE k.last_used_at IS NULL OR k.last_used_at < used.at
      FOR NO KEY UPDATE OF k SKIP LOCKED
    )
    UPDATE api_keys k SET last_used_at = behind.at FROM behind WHERE k.id = behind.id
$$;
