/** SQL: what tells that something on a team's overview is different; the team is `t`. */
const SIGN = `concat_ws(' ', t.paused,
    (SELECT s.last FROM event_sequences s WHERE s.team_id = t.id),
    (SELECT r.id FROM call_requests r WHERE r.team_id = t.id ORDER BY r.accepted_at DESC, r.id DESC LIMIT 1),
    (SELECT concat_ws('/', count(w.failing_since), count(w.disabled_at)) FROM webhook_endpoints w
      WHERE w.team_id = t.id AND w.deleted_at IS NULL),
    (SELECT i.status || i.id FROM imports i WHERE i.team_id = t.id ORDER BY i.created_at DESC, i.id DESC LIMIT 1))`;

/** The sign of each of the teams $1, by indexes of the team. A queued call has no event, so its row counts. */
export const SIGNS_OF_TEAMS = `
  SELECT t.id AS team, ${SIGN} AS sign FROM teams t WHERE t.id = ANY ($1::uuid[])`;

/** The sign of all teams: their numbered events, and whether everything is paused. */
export const SIGN_OF_PLATFORM = `
  SELECT concat_ws(' ', s.paused, (SELECT sum(last) FROM event_sequences),
    (SELECT concat_ws('/', count(w.failing_since), count(w.disabled_at)) FROM webhook_endpoints w
      WHERE (w.failing_since IS NOT NULL OR w.disabled_at IS NOT NULL) AND w.deleted_at IS NULL)) AS sign
  FROM platform_settings s`;

export interface SignRow {
  team: string;
  sign: string;
}
