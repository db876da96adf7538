import { query, type Query, type Scope, type Statement } from './transactions.js';

/*
 * The scopes of transactions, for `Transactions.within`, and the statements that take a team's lock. With an
 * unknown API key or call, a transaction sees no rows. Its own statements then find nothing, as for any
 * missing row.
 */

/** The longest wait of a statement for a lock or a row that another transaction holds, in milliseconds. */
export const LOCK_WAIT_MS = 100;

/** SQL: limits each wait for a lock or a row to {@link LOCK_WAIT_MS}, until the transaction ends. */
const LIMIT_LOCK_WAITS = `set_config('lock_timeout', '${LOCK_WAIT_MS}', true)`;

const WITHIN_TEAM = scope('within_team', '$1::text');
const WITHIN_TEAM_OF_KEY = scope('within_team_of_key', `coalesce(team_of_key($1)::text, '')`);
const WITHIN_TEAMS_OF_KEYS = groupScope('within_teams_of_keys', 'teams_of_keys($1)');
const WITHIN_TEAMS_OF_CALLS = groupScope('within_teams_of_calls', 'teams_of_calls($1)');
const WITHIN_TEAM_OF_CALL = scope('within_team_of_call', `coalesce(team_of_call($1)::text, '')`);

export function team(teamId: string): Query {
  return query(WITHIN_TEAM, teamId);
}

/** The scope of several teams, for work that concerns more than one team. */
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
 * SQL that names the teams of a batch until the transaction ends. It also limits the waits for locks, because
 * all items of the batch share them.
 * @param teamIds SQL for the teams' ids as text, with commas between them.
 */
export function setTeams(teamIds: string): string {
  return `${setTeam(teamIds)}, ${LIMIT_LOCK_WAITS}`;
}

/**
 * Takes the team's lock exclusively. While it is held, no other transaction counts calls of the team or
 * occupies a concurrency slot. The order of locks is in `src/dialing/facts/locks.sql.ts`. $1 team.
 */
export const LOCK_TEAM: Statement = {
  name: 'lock_team',
  text: 'SELECT pg_advisory_xact_lock(team_lock_key($1))',
};

/**
 * Takes the team's lock shared, for releasing usage. While it is held, no transaction recounts the usage. $1
 * team.
 */
export const LOCK_TEAM_SHARED: Statement = {
  name: 'lock_team_shared',
  text: 'SELECT pg_advisory_xact_lock_shared(team_lock_key($1))',
};
