import { setTeam, setTeams } from '../../database/team-scope.js';
import { type Statement } from '../../database/transactions.js';
import { monthOf, MOST_UNSEEN, nearPlanLimit } from './plan.sql.js';

/*
 * Everything that decides about a number first takes the lock of (team, number), then the team's, each in a statement
 * of its own: a statement that waits for a lock still sees the tables as of its own start, so only the next one can
 * see what the holder wrote. The team's lock is shared as long as nothing is counted, or the plan's limit is far off; setting
 * a limit takes it exclusively and recounts. What claims also counts lines, where the team has a limit of those.
 */

const NEAR_PLAN_LIMIT = nearPlanLimit(monthOf('outdial_now()'));
const COUNTS_LINES = 't.max_concurrent_calls IS NOT NULL';

export interface TeamLockRow {
  exclusive: boolean;
}

/**
 * Also names the key's team for the statements behind it, as `Transactions.within` would in a statement of its own.
 * $1 SHA-256 of the API key, $2 number in E.164. For an unknown key it takes nothing, and names nobody.
 */
export const LOCK_NUMBER_OF_KEY: Statement = {
  name: 'lock_number_of_key',
  text: `
    SELECT ${setTeam('team::text')}, pg_advisory_xact_lock(number_lock_key(team, $2))
    FROM team_of_key($1) AS team
    WHERE team IS NOT NULL`,
};

/** How the team's lock is held for each of several, in the order in which they were asked for; null: somebody is in the way. */
export interface FreeLocksRow {
  locks: ('shared' | 'exclusive' | null)[];
}

/**
 * The locks of many requests at once, without waiting. Also names their teams for the statements behind it. $1 SHA-256 of their
 * API keys, $2 numbers in E.164.
 */
export const LOCK_FREE_OF_KEYS: Statement = {
  name: 'lock_free_of_keys',
  text: `SELECT locks, ${setTeams('teams')} FROM lock_free_of_keys($1, $2, ${MOST_UNSEEN})`,
};

/** The same of calls. $1 ids of call requests. */
export const LOCK_FREE_OF_CALLS: Statement = {
  name: 'lock_free_of_calls',
  text: `SELECT locks, ${setTeams('teams')} FROM lock_free_of_calls($1, ${MOST_UNSEEN})`,
};

/** $1 SHA-256 of the API key. */
export const LOCK_TEAM_OF_KEY: Statement = {
  name: 'lock_team_of_key',
  text: `
    SELECT team.exclusive, ${lockOf('team')}
    FROM (
      SELECT t.id, ${NEAR_PLAN_LIMIT} AS exclusive
      FROM api_keys k JOIN teams t ON t.id = k.team_id
      WHERE k.key_hash = $1 AND k.revoked_at IS NULL
      OFFSET 0
    ) team`,
};

/** $1 id of a call request. */
export const LOCK_NUMBER_OF_CALL: Statement = {
  name: 'lock_number_of_call',
  text: `SELECT pg_advisory_xact_lock(number_lock_key(team_id, phone_number)) FROM call_requests WHERE id = $1`,
};

/** $1 id of a call request that may be claimed. */
export const LOCK_TEAM_OF_CALL: Statement = {
  name: 'lock_team_of_call',
  text: `
    SELECT team.exclusive, ${lockOf('team')}
    FROM (
      SELECT t.id, ${COUNTS_LINES} OR ${NEAR_PLAN_LIMIT} AS exclusive
      FROM call_requests r JOIN teams t ON t.id = r.team_id
      WHERE r.id = $1
      OFFSET 0
    ) team`,
};

/** Exclusively, for who hands out lines. $1 team. */
export const LOCK_TEAM: Statement = {
  name: 'lock_team',
  text: 'SELECT pg_advisory_xact_lock(team_lock_key($1))',
};

/** @param team a row with `id` and `exclusive`, which is worked out once. */
function lockOf(team: string): string {
  return `CASE WHEN ${team}.exclusive
      THEN pg_advisory_xact_lock(team_lock_key(${team}.id))
      ELSE pg_advisory_xact_lock_shared(team_lock_key(${team}.id)) END`;
}
