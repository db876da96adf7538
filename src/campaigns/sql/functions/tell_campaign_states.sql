-- Writes the events of campaigns that have finished or stalled, and returns their number. One transaction at a
-- time does this; any other finds the lock held.
--
-- A campaign has finished if it has enrollments and none has been live for 60 seconds. It has stalled if it is
-- active, has live enrollments, and all of them have waited for 5 minutes for what only a change ends. The state
-- is made of the counts that `count_enrollments` keeps anyway, so nothing is written when enrollments end, and a
-- run costs the same for each campaign at any size. A state is written when it changes, and told once: a finished
-- campaign is told again after further enrollments, a stalled one if most enrollments wait for another rule.
CREATE OR REPLACE FUNCTION tell_campaign_states()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  now timestamptz := outdial_now();
  -- What neither time nor a call ends.
  lasting CONSTANT text[] := ARRAY['paused', 'no_steps', 'PLAN_LIMIT', 'COUNTRY_NOT_ALLOWED', 'NOT_WHITELISTED', 'CONSENT_REQUIRED',
    'REGISTER_STALE', 'UNKNOWN_LOCATION', 'caller_id', 'zone'];
  -- What an enrollment waits for although its campaign is held.
  going CONSTANT text[] := ARRAY['in_call', 'outcome', 'result', 'no_steps'];
  told integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('tell_campaign_states', 7)) THEN RETURN 0; END IF;
  WITH counted AS (
    SELECT c.campaign_id, c.kind, c.name, sum(c.n) AS n
    FROM (
      SELECT campaign_id, kind, name, n FROM campaign_counts WHERE kind IN ('live', 'ended')
      UNION ALL
      SELECT campaign_id, kind, name, n FROM campaign_count_changes WHERE kind IN ('live', 'ended')) c
    GROUP BY 1, 2, 3
    HAVING sum(c.n) > 0
  ), shown AS (
    SELECT p.id, p.team_id, p.status, c.kind, c.n,
      CASE WHEN (t.paused OR s.paused) AND c.name <> ALL(going) THEN 'paused' ELSE c.name END AS name
    FROM counted c JOIN campaigns p ON p.id = c.campaign_id JOIN teams t ON t.id = p.team_id CROSS JOIN platform_settings s
  ), found AS (
    SELECT f.id, f.team_id, CASE
        WHEN f.live IS NULL THEN 'finished'
        WHEN f.status = 'active' AND f.moving IS NULL THEN 'stalled'
      END AS state, f.enrolled, f.rule
    FROM (
      SELECT h.id, h.team_id, h.status, sum(h.n)::integer AS enrolled,
        sum(h.n) FILTER (WHERE h.kind = 'live') AS live,
        sum(h.n) FILTER (WHERE h.kind = 'live' AND h.name <> ALL(lasting)) AS moving,
        (array_agg(h.name ORDER BY h.n DESC, h.name) FILTER (WHERE h.kind = 'live'))[1] AS rule
      FROM shown h GROUP BY 1, 2, 3) f
  ), known AS (
    SELECT f.id, f.team_id, f.state, CASE WHEN f.state = 'stalled' THEN f.rule END AS rule,
      CASE WHEN f.state = 'finished' THEN f.enrolled ELSE 0 END AS enrolled
    FROM found f
  )
  INSERT INTO campaign_states AS w (campaign_id, team_id, state, rule, enrolled, since)
  SELECT k.id, k.team_id, k.state, k.rule, k.enrolled, now
  FROM known k LEFT JOIN campaign_states o ON o.campaign_id = k.id
  WHERE (k.state, k.rule, k.enrolled) IS DISTINCT FROM (o.state, o.rule, coalesce(o.enrolled, 0))
  ON CONFLICT (campaign_id) DO UPDATE SET
    state = excluded.state, rule = excluded.rule, enrolled = excluded.enrolled, since = excluded.since, told_at = NULL;

  WITH due AS (
    UPDATE campaign_states w SET told_at = now
    WHERE w.told_at IS NULL
      AND w.since <= now - CASE w.state WHEN 'finished' THEN interval '60 seconds' WHEN 'stalled' THEN interval '5 minutes' END
    RETURNING w.campaign_id, w.state, w.rule
  ), written AS MATERIALIZED (
    SELECT add_event(p.team_id, CASE d.state WHEN 'finished' THEN 'campaign.finished' ELSE 'campaign.stalled' END, NULL,
      jsonb_build_object('id', p.id, 'name', p.name, 'status', p.status, 'current_version_id', p.current_version_id,
        'draft_version_id', (SELECT v.id FROM campaign_versions v WHERE v.campaign_id = p.id AND v.status = 'draft'),
        'pacing', p.pacing, 'reentry', p.reentry, 'purpose', p.purpose, 'created_at', p.created_at, 'rule', d.rule))
    FROM due d JOIN campaigns p ON p.id = d.campaign_id
  )
  SELECT count(*)::integer INTO told FROM written;
  RETURN told;
END $$;
