import { query, type Query, type Scope, type Statement } from './transactions.js';

/*
 * The teams whose rows a transaction is about, for `Transactions.within`, and the statements that take a
 * team's lock. Of an unknown key or call no rows are seen: the transaction's own statements then find
 * nothing, and say so as they always do.
 */

/** How long one transaction waits for a lock or a row that another one holds, in milliseconds. */
export const LOCK_WAIT_MS = 100;

/**
 * SQL: a statement waits for a lock, or a row, no longer than {@link LOCK_WAIT_MS} until the transaction
 * ends.
 */
const LIMIT_LOCK_WAITS = `set_config('lock_timeout', '${LOCK_WAIT_MS}', true)`;

const WITHIN_TEAM = scope('within_team', '$1::text');
const WITHIN_TEAM_OF_KEY = scope('within_team_of_key', `coalesce(team_of_key($1)::text, '')`);
const WITHIN_TEAMS_OF_KEYS = groupScope('within_teams_of_keys', 'teams_of_keys($1)');
const WITHIN_TEAMS_OF_CALLS = groupScope('within_teams_of_calls', 'teams_of_calls($1)');
const WITHIN_TEAM_OF_CALL = scope('within_team_of_call', `coalesce(team_of_call($1)::text, '')`);

export function team(teamId: string): Query {
  return query(WITHIN_TEAM, teamId);
}

/** Of several teams, for work that crosses them. */
export function teams(teamIds: string[]): Query {
  return query(WITHIN_TEAM, teamIds.join(','));
}

/** @param keyHash SHA-256 of the API key. */
export function teamOfKey(keyHash: Buffer): Query {
  return query(WITHIN_TEAM_OF_KEY, keyHash);
}

export function teamOfCall(callRequestId: string): Query {
  return query(WITHIN_TEAM_OF_CALL, callRequestId);
}

export function teamsOfKeys(keyHashes: Buffer[]): Scope {
  return ofGroup(query(WITHIN_TEAMS_OF_KEYS, keyHashes));
}

export function teamsOfCalls(callRequestIds: string[]): Scope {
  return ofGroup(query(WITHIN_TEAMS_OF_CALLS, callRequestIds));
}

/** The wait for locks stays limited where row-level security is off. */
function ofGroup(scope: Query): Scope {
  return { ...scope, withoutRole: limitLockWaits() };
}

function groupScope(name: string, teams: string): Statement {
  return { name, text: `SELECT ${setTeams(teams)}` };
}

function scope(name: string, teamId: string): Statement {
  return { name, text: `SELECT ${setTeam(teamId)}` };
}

/**
 * SQL that names the team until the transaction ends.
 * @param teamId SQL for its id as text, `''` for none.
 */
export function setTeam(teamId: string): string {
  return `set_config('outdial.team_id', ${teamId}, true)`;
}

const LIMIT_LOCK_WAITS_STATEMENT: Statement = {
  name: 'limit_lock_waits',
  text: `SELECT ${LIMIT_LOCK_WAITS}`,
};

/** For the transactions of `KeyedSemaphore.runWithLocks`. */
export function limitLockWaits(): Query {
  return query(LIMIT_LOCK_WAITS_STATEMENT);
}

/**
 * The same for a batch: its requests share what it waits, so it is limited. @param teamIds SQL for their ids
 * with commas between them.
 */
export function setTeams(teamIds: string): string {
  return `${setTeam(teamIds)}, ${LIMIT_LOCK_WAITS}`;
}

/**
 * The team's lock, exclusive: nothing is counted and no concurrency slot is occupied meanwhile. The order of
 * locks is in `src/calls/shared/locks.sql.ts`. $1 team.
 */
export const LOCK_TEAM: Statement = {
  name: 'lock_team',
  text: 'SELECT pg_advisory_xact_lock(team_lock_key($1))',
};

/** The team's lock, shared, for releasing usage: it keeps a recount away. $1 team. */
export const LOCK_TEAM_SHARED: Statement = {
  name: 'lock_team_shared',
  text: 'SELECT pg_advisory_xact_lock_shared(team_lock_key($1))',
};
