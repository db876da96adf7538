-- For the metrics: how many people are due to be dialed by campaigns, at most 100,000; for how long the first
-- of them is due, in seconds; and how many campaigns are stalled: a person is due for 10 minutes, and the
-- campaign placed no call for 10 minutes. Paused campaigns are left out.
CREATE OR REPLACE FUNCTION measure_campaigns()
  RETURNS TABLE(due float8, seconds float8, stalled integer)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    dialing AS MATERIALIZED (
      SELECT c.id, (
        SELECT min(first.look_at) FROM generate_series(0, 2) AS rank CROSS JOIN LATERAL (
          SELECT e.look_at FROM enrollments e
          WHERE e.campaign_id = c.id AND e.status = 'active' AND e.dial_rank = rank AND e.look_at IS NOT NULL
          ORDER BY e.look_at
          LIMIT 1) first) AS oldest, (
        SELECT d.claimed_at FROM enrollment_dials d WHERE d.campaign_id = c.id ORDER BY d.claimed_at DESC LIMIT 1) AS dialed_at
      FROM find_dialing_campaigns() c
    )
    SELECT
      (SELECT count(*)::float8 FROM (
        SELECT FROM dialing c CROSS JOIN clock CROSS JOIN generate_series(0, 2) AS rank CROSS JOIN LATERAL (
          SELECT FROM enrollments e
          WHERE e.campaign_id = c.id AND e.status = 'active' AND e.dial_rank = rank AND e.look_at IS NOT NULL AND e.look_at <= clock.now
          LIMIT 100000) due
        LIMIT 100000) counted),
      coalesce((SELECT greatest(extract(epoch FROM clock.now - min(c.oldest)), 0)::float8 FROM dialing c CROSS JOIN clock GROUP BY clock.now), 0),
      (SELECT count(*)::integer FROM dialing c CROSS JOIN clock
       WHERE c.oldest < clock.now - interval '10 minutes'
         AND (c.dialed_at IS NULL OR c.dialed_at < clock.now - interval '10 minutes'))
$$;
