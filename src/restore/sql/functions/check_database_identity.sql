-- Compares the cluster, the oid and the timeline of the database with those that were stored before. A
-- difference means that the database was restored: the platform is paused, and the new values are stored. A
-- value that the user may not read, or that the server does not have, is not compared. Returns 'first' and
-- 'noticed' once, 'waiting' until the platform is resumed, and 'same' otherwise.
CREATE OR REPLACE FUNCTION check_database_identity()
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  stored database_identity;
  cluster text;
  oid_now text := (SELECT d.oid::text FROM pg_database d WHERE d.datname = current_database());
  timeline_now integer;
  next_position bigint;
BEGIN
  BEGIN
    cluster := (SELECT c.system_identifier::text FROM pg_control_system() c);
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN NULL;
  END;
  BEGIN
    timeline_now := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function OR object_not_in_prerequisite_state THEN NULL;
  END;
  FOR attempt IN 1..2 LOOP
    IF attempt = 1 THEN
      SELECT * INTO stored FROM database_identity;
    ELSE
      SELECT * INTO stored FROM database_identity FOR UPDATE;
    END IF;
    IF FOUND AND stored.database_oid = oid_now
      AND coalesce(stored.system_identifier = cluster, true) AND coalesce(stored.timeline = timeline_now, true) THEN
      RETURN CASE WHEN stored.restored_at IS NULL THEN 'same' ELSE 'waiting' END;
    END IF;
    IF NOT FOUND THEN
      INSERT INTO database_identity (system_identifier, database_oid, timeline) VALUES (cluster, oid_now, timeline_now)
      ON CONFLICT (id) DO NOTHING;
      IF FOUND THEN RETURN 'first'; END IF;
    END IF;
  END LOOP;
  UPDATE database_identity SET
    system_identifier = coalesce(cluster, system_identifier), database_oid = oid_now,
    timeline = coalesce(timeline_now, timeline), restored_at = outdial_now(),
    newest_row_at = greatest(
      (SELECT max(newest.at) FROM teams t CROSS JOIN LATERAL (
         SELECT max(r.accepted_at) AS at FROM call_requests r WHERE r.team_id = t.id) newest),
      (SELECT max(r.ended_at) FROM call_requests r WHERE r.ended_at IS NOT NULL),
      (SELECT max(r.claimed_at) FROM call_requests r
       WHERE r.phase = 1 AND r.generation >= 0),
      (SELECT max(i.created_at) FROM idempotency_keys i),
      (SELECT max(s.ran_at) FROM sweeper_runs s));
  -- Readers may have seen numbers of events that the backup does not have.
  INSERT INTO event_sequences AS n (team_id, last, removed_through) SELECT t.id, 1000000, 0 FROM teams t
  ON CONFLICT (team_id) DO UPDATE SET last = n.last + excluded.last;
  -- The restore may have set the sequence to the last event that was left. If later events had been removed,
  -- the next positions are below the highest one that was numbered.
  SELECT p.last_value + p.is_called::integer INTO next_position FROM events_position_seq p;
  DELETE FROM event_gaps g WHERE g.found_by IS NOT NULL AND g.first >= next_position;
  UPDATE event_gaps g SET first = least(g.first, next_position) WHERE g.found_by IS NULL;
  UPDATE platform_settings SET paused = true;
  RETURN 'noticed';
END
$$;
