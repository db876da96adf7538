-- Tries the platform's lock of the person's number, shared, then the lock of the number, then that of the team, without
-- waiting. Returns the mode in which the team's lock is held, or null if one of the locks was not free. Without a team,
-- the function locks nothing and returns 'shared'. One session may take a lock several times.
CREATE OR REPLACE FUNCTION try_locks(team uuid, number text, exclusively boolean)
  RETURNS text
  LANGUAGE sql
  VOLATILE
AS $$
    SELECT CASE
      WHEN team IS NULL THEN 'shared'
      WHEN NOT pg_try_advisory_xact_lock_shared(platform_number_lock_key(person_number(number))) THEN NULL
      WHEN NOT pg_try_advisory_xact_lock(number_lock_key(team, person_number(number))) THEN NULL
      WHEN exclusively THEN CASE WHEN pg_try_advisory_xact_lock(team_lock_key(team)) THEN 'exclusive' END
      WHEN pg_try_advisory_xact_lock_shared(team_lock_key(team)) THEN 'shared'
    END
$$;
