-- The lock of the number, then the team's, without waiting: how the team's lock is held, or null where one of
-- them was not free. Without a team there is nothing to lock. One session may take a lock several times.
CREATE OR REPLACE FUNCTION try_locks(team uuid, number text, exclusively boolean)
  RETURNS text
  LANGUAGE sql
  VOLATILE
AS $$
    SELECT CASE
      WHEN team IS NULL THEN 'shared'
      WHEN NOT pg_try_advisory_xact_lock(number_lock_key(team, number)) THEN NULL
      WHEN exclusively THEN CASE WHEN pg_try_advisory_xact_lock(team_lock_key(team)) THEN 'exclusive' END
      WHEN pg_try_advisory_xact_lock_shared(team_lock_key(team)) THEN 'shared'
    END
$$;

REVOKE EXECUTE ON FUNCTION try_locks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION try_locks TO outdial_app;
