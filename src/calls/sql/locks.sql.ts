import { setTeam } from '../../database/team-scope.js';
import { type Statement } from '../../database/transactions.js';

/*
 * Everything that decides about a number first takes the lock of (team, number), then the team's, each in a statement
 * of its own: a statement that waits for a lock still sees the tables as of its own start, so only the next one can
 * see what the holder wrote. The team's lock is shared where the team has no plan limit: nothing is counted then, but
 * setting a limit takes it exclusively and recounts. What claims also counts lines, where the team has a limit of those.
 */

/** Either limit makes a firing count. */
const CLAIM_LIMIT = 'coalesce(t.monthly_call_limit, t.max_concurrent_calls)';

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

/** $1 SHA-256 of the API key. */
export const LOCK_TEAM_OF_KEY: Statement = {
  name: 'lock_team_of_key',
  text: `
    SELECT t.monthly_call_limit IS NOT NULL AS exclusive, ${lockOf('t', 't.monthly_call_limit')}
    FROM api_keys k JOIN teams t ON t.id = k.team_id
    WHERE k.key_hash = $1 AND k.revoked_at IS NULL`,
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
    SELECT ${CLAIM_LIMIT} IS NOT NULL AS exclusive, ${lockOf('t', CLAIM_LIMIT)}
    FROM call_requests r JOIN teams t ON t.id = r.team_id
    WHERE r.id = $1`,
};

/** Exclusively, for who hands out lines. $1 team. */
export const LOCK_TEAM: Statement = {
  name: 'lock_team',
  text: 'SELECT pg_advisory_xact_lock(team_lock_key($1))',
};

/** @param limit SQL that is null for a team of which nothing is counted. */
function lockOf(team: string, limit: string): string {
  return `CASE WHEN ${limit} IS NULL
      THEN pg_advisory_xact_lock_shared(team_lock_key(${team}.id))
      ELSE pg_advisory_xact_lock(team_lock_key(${team}.id)) END`;
}
