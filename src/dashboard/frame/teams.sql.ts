/** The most teams that a page offers. */
export const MOST_TEAMS = 500;
const TEAM_COLUMNS = 'id, name, timezone, paused, max_concurrent_calls AS "maxConcurrentCalls"';
export const TEAMS = `SELECT ${TEAM_COLUMNS} FROM teams ORDER BY name, id LIMIT ${MOST_TEAMS}`;
/** $1 teams. */
export const TEAMS_OF = `SELECT ${TEAM_COLUMNS} FROM teams WHERE id = ANY ($1::uuid[]) ORDER BY name, id`;
/** $1 team. */
export const ONE_TEAM = `SELECT ${TEAM_COLUMNS} FROM teams WHERE id = $1`;

export interface TeamRow {
  id: string;
  name: string;
  timezone: string;
  paused: boolean;
  maxConcurrentCalls: number | null;
}
