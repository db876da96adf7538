-- Has the live enrollments of a page decided again that wait for an instant, and whose zone is among `zones` (in
-- lower case): the contact's, or that of any agent of the team. Returns the last id of the page, null after the
-- last page, and how many enrollments will be decided.
CREATE OR REPLACE FUNCTION decide_enrollments_of_zones(zones text[], after_id uuid, batch integer)
  RETURNS TABLE(last uuid, decided integer)
  LANGUAGE sql
  VOLATILE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    page AS MATERIALIZED (
      SELECT e.id FROM enrollments e WHERE e.id > after_id ORDER BY e.id LIMIT batch
    ), concerned AS MATERIALIZED (
      -- Another transaction that has locked a row is deciding it.
      SELECT e.id FROM enrollments e CROSS JOIN clock JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
      WHERE e.id = ANY(ARRAY(SELECT id FROM page)) AND e.status IN ('active', 'paused') AND e.next_attempt_at > clock.now
        AND CASE WHEN c.timezone IS NOT NULL THEN lower(c.timezone) = ANY(zones)
          ELSE EXISTS (SELECT FROM voice_agents a WHERE a.team_id = e.team_id AND lower(a.timezone) = ANY(zones)) END
      ORDER BY e.id
      FOR UPDATE OF e SKIP LOCKED
    ), changed AS (
      UPDATE enrollments e SET settle_at = least(e.settle_at, clock.now)
      FROM concerned, clock
      WHERE e.id = concerned.id AND e.id = ANY(ARRAY(SELECT id FROM concerned))
      RETURNING 1
    )
    SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1), (SELECT count(*)::integer FROM changed)
$$;
