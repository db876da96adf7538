import { setTeams } from '../../database/team-scope.js';
import { type Statement } from '../../database/transactions.js';
import { MAX_UNCOMMITTED } from './plan.sql.js';

/*
 * A transaction that decides about a number needs the platform's lock of the person's number, shared, the lock of
 * (team, person's number), and the team's lock. If it waits for them, it does so in this order. The locks of the
 * number and of the team have a statement of their own each. A statement
 * that waits for a lock sees the tables as of its own start. Only the next statement sees what the holder of
 * the lock wrote.
 *
 * The database function `needs_exclusive_lock` decides whether the team's lock is exclusive or shared, and
 * `try_locks` takes both locks without waiting. A transaction that waits for the team's lock takes the lock
 * exclusively if the decision counts against any limit. Setting the plan limit takes the lock exclusively and
 * recounts. `LOCK_TEAM` and `LOCK_TEAM_SHARED` take the lock of a known team. They are in
 * `src/database/team-scope.ts`, because other features use them too.
 */

/** A distance from the plan limit, in calls, that no team exceeds. */
const ANY_DISTANCE = 2_147_483_647;

/**
 * SQL: the distance from the plan limit, in calls, within which the team's lock is exclusive.
 * @param waits SQL: whether the transaction waits for the team's lock.
 */
const distance = (waits: string) => `CASE WHEN ${waits} THEN ${ANY_DISTANCE} ELSE ${MAX_UNCOMMITTED} END`;

/**
 * SQL that waits for a team's lock.
 * @param concurrencySlotLimit SQL for the team's limit of concurrency slots; `NULL` if the decision
 *   occupies none.
 * @param team a relation `t` of teams.
 */
const lockTeam = (concurrencySlotLimit: string, team: string) => `
    SELECT CASE WHEN team.exclusive
      THEN pg_advisory_xact_lock(team_lock_key(team.id))
      ELSE pg_advisory_xact_lock_shared(team_lock_key(team.id)) END
    FROM (
      SELECT t.id, needs_exclusive_lock(t.id, t.monthly_call_limit, ${concurrencySlotLimit}, ${ANY_DISTANCE}) AS exclusive
      FROM ${team} OFFSET 0) team`;

/** SQL that waits for the platform's lock of a person's number, shared. @param number SQL for the number. */
const SHARE_PLATFORM = (number: string) =>
  `pg_advisory_xact_lock_shared(platform_number_lock_key(person_number(${number})))`;

/** $1 SHA-256 of the API key, $2 number in E.164. */
export const LOCK_NUMBER_OF_KEY: Statement = {
  name: 'lock_number_of_key',
  text: `
    SELECT ${SHARE_PLATFORM('$2')}, pg_advisory_xact_lock(number_lock_key(team, person_number($2)))
    FROM team_of_key($1) AS team WHERE team IS NOT NULL`,
};

/** $1 SHA-256 of the API key. */
export const LOCK_TEAM_OF_KEY: Statement = {
  name: 'lock_team_of_key',
  text: lockTeam(
    'NULL',
    'api_keys k JOIN teams t ON t.id = k.team_id WHERE k.key_hash = $1 AND key_is_live(k.revoked_at, k.expires_at)',
  ),
};

/**
 * How the team's lock is held for each item, in the order of the items; null: one of the two locks was not
 * free.
 */
export interface TriedLocksRow {
  locks: ('shared' | 'exclusive' | null)[];
}

export interface TriedRequestLocksRow extends TriedLocksRow {
  /** Whether the lock of each `Idempotency-Key` is held; null where no key was sent. */
  key_locks: (boolean | null)[];
}

/**
 * Tries the locks of many requests without waiting. The statement also sets the scope of the later statements
 * to the requests' teams. $1 SHA-256 of the API keys, $2 numbers in E.164, $3 each `Idempotency-Key` or null,
 * $4 whether the transaction has waited for the team's lock.
 */
export const TRY_LOCKS_OF_REQUESTS: Statement = {
  name: 'try_locks_of_requests',
  text: `SELECT locks, key_locks, ${setTeams('teams')} FROM try_locks_of_requests($1, $2, $3, ${distance('$4')})`,
};

/** The same for calls. $1 ids of call requests, $2 whether the transaction has waited for the team's lock. */
export const TRY_LOCKS_OF_CALLS: Statement = {
  name: 'try_locks_of_calls',
  text: `SELECT locks, ${setTeams('teams')} FROM try_locks_of_calls($1, ${distance('$2')})`,
};

/** Waits for the locks of several numbers. $1 team, $2 numbers in ascending order. */
export const LOCK_NUMBERS: Statement = {
  name: 'lock_numbers',
  text: `
    SELECT pg_advisory_xact_lock(number_lock_key($1, number))
    FROM (SELECT DISTINCT person_number(each) AS number FROM unnest($2::text[]) AS each ORDER BY 1) person`,
};

/** Waits for the platform's locks of several numbers, exclusively. $1 numbers in ascending order. */
export const LOCK_PLATFORM_NUMBERS: Statement = {
  name: 'lock_platform_numbers',
  text: `
    SELECT pg_advisory_xact_lock(platform_number_lock_key(number))
    FROM (SELECT DISTINCT person_number(each) AS number FROM unnest($1::text[]) AS each ORDER BY 1) person`,
};

/** $1 id of a call request. */
export const LOCK_NUMBER_OF_CALL: Statement = {
  name: 'lock_number_of_call',
  text: `
    SELECT ${SHARE_PLATFORM('phone_number')}, pg_advisory_xact_lock(number_lock_key(team_id, person_number(phone_number)))
    FROM call_requests WHERE id = $1`,
};

/** Takes the team's lock, shared, for releasing usage. $1 id of a call request. */
export const SHARE_TEAM_OF_CALL: Statement = {
  name: 'share_team_of_call',
  text: 'SELECT pg_advisory_xact_lock_shared(team_lock_key(team_id)) FROM call_requests WHERE id = $1',
};

/** $1 id of a call request that may be claimed. */
export const LOCK_TEAM_OF_CALL: Statement = {
  name: 'lock_team_of_call',
  text: lockTeam(
    't.max_concurrent_calls',
    'call_requests r JOIN teams t ON t.id = r.team_id WHERE r.id = $1',
  ),
};

/**
 * Tries to take the shared lock of each call's team without waiting, and returns whether the lock is held.
 * Setting a plan limit recounts, and holds the lock exclusively. $1 ids.
 */
export const TRY_LOCK_TEAMS_OF_CALLS: Statement = {
  name: 'try_lock_teams_of_calls',
  text: `
    SELECT team.id, pg_try_advisory_xact_lock_shared(team_lock_key(team.id)) AS locked
    FROM (SELECT DISTINCT team_id AS id FROM call_requests WHERE id = ANY($1::uuid[]) OFFSET 0) team`,
};
