-- Examines a batch of a team's calls that were accepted before the period of its retention, in the order of
-- their acceptance. It removes the calls that also ended before this period, with their rows in other tables.
-- It walks the index of the team's list, so it reads no calls of other teams. One process at a time removes
-- calls; for the others, the function removes nothing.
--
-- Calls that stay, because a decision reads them:
-- * calls that have not ended, `dial_unknown` among them;
-- * the last call from each caller ID, by which the least recently used number of a pool is picked. Its
--   prompts are removed;
-- * calls of an enrollment that has not ended, because its next step depends on them;
-- * calls that were processed within a minute of the claim of a call that has not ended. A look-up at the
--   carrier must distinguish the two.
CREATE OR REPLACE FUNCTION remove_ended_calls(team uuid, after_accepted_at timestamptz, after_id uuid, batch integer)
  RETURNS TABLE(looked_at integer, removed integer, accepted_at timestamptz, id uuid, details integer)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH lock AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('remove_ended_calls', 5)) AS held
    ), kept AS MATERIALIZED (
      SELECT outdial_now() - call_retention(team) AS since FROM lock WHERE lock.held
    ), looked AS MATERIALIZED (
      SELECT r.id, r.accepted_at FROM call_requests r
      WHERE r.team_id = team
        AND r.accepted_at <= (SELECT kept.since FROM kept)
        AND (r.accepted_at, r.id) > (after_accepted_at, after_id)
      ORDER BY r.accepted_at, r.id
      LIMIT batch
    ), open AS MATERIALIZED (
      SELECT u.claimed_at FROM call_requests u
      WHERE u.phase = 1 AND u.generation >= 0 AND u.claimed_at <= (SELECT kept.since FROM kept) + interval '1 minute'
    ), ended AS MATERIALIZED (
      SELECT r.id, r.enrollment_id, r.processed_at IS NOT NULL AND r.caller_id IS NOT NULL AND (
          SELECT true FROM call_requests u
          WHERE u.team_id = r.team_id AND u.caller_id = r.caller_id AND u.caller_id IS NOT NULL
            AND u.processed_at > r.processed_at AND u.processed_at IS NOT NULL AND u.ended_at IS NOT NULL
          LIMIT 1) IS NULL AS last_use
      FROM call_requests r
      WHERE r.id = ANY (ARRAY(SELECT looked.id FROM looked))
        AND r.ended_at <= (SELECT kept.since FROM kept)
        AND r.phase = 2
        AND (SELECT true FROM open
          WHERE open.claimed_at BETWEEN r.processed_at - interval '1 minute' AND r.processed_at + interval '1 minute'
          LIMIT 1) IS NULL
        AND (SELECT true FROM enrollments e
          WHERE e.id = r.enrollment_id AND e.status IN ('active', 'paused')
          LIMIT 1) IS NULL
      FOR UPDATE OF r SKIP LOCKED
    ), forgotten AS (
      DELETE FROM call_results u WHERE u.call_request_id = ANY (ARRAY(SELECT ended.id FROM ended))
    ), dials AS (
      -- Of enrollments that have ended, so that no step follows from them.
      DELETE FROM enrollment_dials d
      WHERE d.enrollment_id = ANY (ARRAY(SELECT ended.enrollment_id FROM ended WHERE NOT ended.last_use AND ended.enrollment_id IS NOT NULL))
        AND d.call_request_id = ANY (ARRAY(SELECT ended.id FROM ended WHERE NOT ended.last_use))
    ), removed AS (
      DELETE FROM call_requests r WHERE r.id = ANY (ARRAY(SELECT ended.id FROM ended WHERE NOT ended.last_use))
      RETURNING 1
    ), details AS (
      DELETE FROM call_details d WHERE d.id = ANY (ARRAY(SELECT ended.id FROM ended WHERE NOT ended.last_use))
      RETURNING 1
    ), unsaid AS (
      UPDATE call_details d SET prompt = NULL, first_message = NULL, variables = NULL
      WHERE d.id = ANY (ARRAY(SELECT ended.id FROM ended WHERE ended.last_use))
        AND (d.prompt IS NOT NULL OR d.first_message IS NOT NULL OR d.variables IS NOT NULL)
    ), silenced AS (
      UPDATE call_requests r SET
        variables = '{}', prompt = NULL, first_message = NULL, unknown_placeholders = '{}'
      WHERE r.id = ANY (ARRAY(SELECT ended.id FROM ended WHERE ended.last_use))
        AND (r.variables <> '{}' OR r.prompt IS NOT NULL OR r.first_message IS NOT NULL)
    )
    SELECT
      (SELECT count(*) FROM looked)::integer, (SELECT count(*) FROM removed)::integer,
      last.accepted_at, last.id, (SELECT count(*) FROM details)::integer
    FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT looked.accepted_at, looked.id FROM looked ORDER BY looked.accepted_at DESC, looked.id DESC LIMIT 1) last ON true
$$;
