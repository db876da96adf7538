-- Puts pending calls of a restored database into `dial_unknown`, as after a lost claim, if they became due
-- before the restore was noticed. They may have been dialed after the backup. Reconciliation looks them up at
-- their carriers, and they are never dialed again. If the caller ID is picked only at the claim, the look-up
-- has no caller ID to search for. Calls whose rows another transaction holds are left for the next run: see
-- `count_restored_calls`.
CREATE OR REPLACE FUNCTION hold_restored_calls(default_carrier text, batch integer)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
    due AS MATERIALIZED (
      SELECT r.id FROM database_identity d JOIN call_requests r ON r.runs_at <= d.restored_at
      WHERE r.phase <= 0 AND r.generation >= 0 AND r.accepted_at < d.restored_at
      ORDER BY r.runs_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    ), held AS (
      UPDATE call_requests r SET
        status = 'dial_unknown', phase = 1, reason = 'DATABASE_RESTORED', claimed_at = least(r.runs_at, clock.now), processed_at = clock.now,
        caller_id = coalesce(r.from_phone_number, a.outbound_phone_number, ''), carrier = coalesce(a.carrier, default_carrier),
        generation = r.generation + 1, woken_at = clock.now, wakes = 0, waiting_since = NULL, line_offered_at = NULL,
        history = r.history || (
          SELECT jsonb_agg(jsonb_build_object(
            'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'from', move.from_state, 'to', move.to_state, 'cause', 'database_restored'))
          FROM (VALUES (r.status, 'dialing'), ('dialing', 'dial_unknown')) AS move (from_state, to_state))
      FROM due, clock, voice_agents a
      WHERE r.id = due.id AND a.team_id = r.team_id AND a.id = r.agent_id
      RETURNING 1
    )
    SELECT count(*)::integer FROM held
$$;
