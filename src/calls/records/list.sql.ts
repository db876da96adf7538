import { FilterColumns } from '../../lists/filter-sql.js';
import { fitting, walking } from '../../lists/newest-first.js';
import { type Statement } from '../../database/transactions.js';
import { type CallState, isPending, phaseOf } from '../../domain/call-states.js';
import { firstMessageOf } from '../../dialing/facts/details.sql.js';
import { callOf, isPendingCall, ofManyNumbers } from '../../dialing/facts/facts.sql.js';
import { type FilterValues } from '../../http/filters.js';
import { resultOf } from '../../results/results.sql.js';
import { OWN_CALL_FILTERS } from './call-filters.js';
import { callColumns } from './read.sql.js';

/*
 * The calls of a team, the newest first. Each statement walks one index and applies the other filters to each
 * call. `listFor` and `openListFor` choose the index that leads to the fewest calls for the sent filters.
 *
 * $1 team, $2 instant and $3 id to begin after, $4 the first instant, $5 the end of the range, $6 how many,
 * from $7 the filters. A filter that was not sent is null.
 */

export const CALL_FILTER_COLUMNS = new FilterColumns(OWN_CALL_FILTERS, 7);

const AGENT = CALL_FILTER_COLUMNS.at('agentId');
const NUMBERS = CALL_FILTER_COLUMNS.at('phoneNumber');
const CAMPAIGN = CALL_FILTER_COLUMNS.at('campaignId');
const MATCHES = CALL_FILTER_COLUMNS.matches();

const afterCursor = (at: string, id: string) =>
  `(${at}, ${id}) < ($2::timestamptz, $3::uuid) AND ${at} >= $4::timestamptz AND ${at} < $5::timestamptz`;

/** @param condition SQL that chooses the index that is walked. */
function walkOf(name: string, condition: string): Statement {
  return {
    name: `list_calls_${name}`,
    text: walking(
      `SELECT r.accepted_at AS at, r.id AS key, ${MATCHES} AS matches
      FROM call_requests r
      WHERE ${condition} AND ${afterCursor('r.accepted_at', 'r.id')}`,
      '$6',
    ),
  };
}

/** Walks the index of the team's list. */
const LIST_CALLS = walkOf('of_team', 'r.team_id = $1');

/** `IS TRUE` keeps Postgres from walking the index of the team's list instead of the index of the agent. */
const LIST_CALLS_OF_AGENT = walkOf('of_agent', `r.agent_id = ${AGENT} AND (r.team_id = $1) IS TRUE`);

/** A campaign's call is accepted at the instant of its dial. A dial whose call was removed does not match. */
const LIST_CALLS_OF_CAMPAIGN: Statement = {
  name: 'list_calls_of_campaign',
  text: walking(
    `SELECT d.claimed_at AS at, d.call_request_id AS key, EXISTS (
        SELECT FROM (${callOf('d.call_request_id')}) r WHERE ${CALL_FILTER_COLUMNS.matches('campaignId')}) AS matches
      FROM enrollment_dials d
      WHERE d.team_id = $1 AND d.campaign_id = ${CAMPAIGN} AND ${afterCursor('d.claimed_at', 'd.call_request_id')}`,
    '$6',
  ),
};

/**
 * Sorts all calls that an index leads to, where these are few: the calls to a number, or a team's calls in an
 * open status. A status is open if it is not final.
 */
function sortOf(name: string, condition: string): Statement {
  return {
    name: `list_calls_${name}`,
    text: walking(
      // `OFFSET 0` keeps Postgres from walking the index of the team's list for the outer order.
      `SELECT r.accepted_at AS at, r.id AS key, true AS matches FROM (
        SELECT * FROM call_requests r WHERE r.team_id = $1 AND ${condition} OFFSET 0) r
      WHERE ${afterCursor('r.accepted_at', 'r.id')} AND ${MATCHES}`,
      '$6',
    ),
  };
}

const LIST_CALLS_OF_NUMBERS = sortOf('of_numbers', `r.phone_number = ANY(${NUMBERS})`);

/** Indexes contain the phase of a call instead of its status. */
function openCalls(status: CallState): Statement {
  const pending = isPending(status) ? `${isPendingCall('r')} AND ` : '';
  return sortOf(status, `${pending}r.phase = ${phaseOf(status)} AND ${ofManyNumbers('r')}`);
}

/** The statements of the list. They are exported for the test of their plans. */
export const LISTS = {
  team: LIST_CALLS,
  agent: LIST_CALLS_OF_AGENT,
  campaign: LIST_CALLS_OF_CAMPAIGN,
  numbers: LIST_CALLS_OF_NUMBERS,
  open: new Map(
    (['scheduled', 'queued', 'dialing', 'in_progress', 'dial_unknown'] as const).map((status) => [
      status as CallState,
      openCalls(status),
    ]),
  ),
};

/** The filters of a list; null: not sent. `phoneNumber`: all forms under which the number may be stored. */
export type CallFilters = Omit<FilterValues<typeof OWN_CALL_FILTERS>, 'phoneNumber'> & {
  phoneNumber: string[] | null;
};

/**
 * The statement that reads the fewest calls, apart from {@link openListFor}, which reads fewer if few calls
 * are in an open status.
 */
export function listFor({ phoneNumber, campaignId, agentId }: CallFilters): Statement {
  if (phoneNumber !== null) return LISTS.numbers;
  if (campaignId !== null) return LISTS.campaign;
  return agentId === null ? LISTS.team : LISTS.agent;
}

/**
 * The statement that sorts the calls in an open status; undefined without such a status, or if another filter
 * leads to fewer calls.
 */
export function openListFor({ phoneNumber, campaignId, status }: CallFilters): Statement | undefined {
  return phoneNumber === null && campaignId === null && status !== null ? LISTS.open.get(status) : undefined;
}

/** How many calls of a team are in a pending phase, counted up to a limit. $1 team, $2 phase, $3 limit. */
export const COUNT_PENDING_CALLS: Statement = {
  name: 'count_pending_calls',
  text: `
    SELECT count(*)::integer AS calls FROM (
      SELECT FROM call_requests r
      WHERE r.team_id = $1 AND ${isPendingCall('r')} AND r.phase = $2::smallint AND ${ofManyNumbers('r')} LIMIT $3::integer) c`,
};

/** As many of the calls as fit into a page. $1 team, $2 ids in their order. */
export const LISTED_CALLS: Statement = {
  name: 'listed_calls',
  text: fitting(`
      SELECT q.n, ${callColumns('r')}, f.first_message, u.result,
        coalesce(octet_length(f.first_message), 0) + coalesce(octet_length(u.result::text), 0)
          + octet_length(r.unknown_placeholders::text) AS bytes
      FROM unnest($2::uuid[]) WITH ORDINALITY AS q (id, n)
      CROSS JOIN LATERAL (${callOf('q.id')}) r
      CROSS JOIN LATERAL (SELECT ${firstMessageOf('r')} AS first_message) f
      CROSS JOIN LATERAL (SELECT ${resultOf('r.id')} AS result) u
      WHERE r.team_id = $1`),
};

/** $1 team, $2 agent, which may be deleted. */
export const AGENT_OF_TEAM: Statement = {
  name: 'agent_of_team',
  text: 'SELECT id FROM voice_agents WHERE team_id = $1 AND id = $2',
};

/** $1 team, $2 contact. */
export const NUMBER_OF_CONTACT: Statement = {
  name: 'number_of_contact',
  text: `SELECT phone_number, erased_at IS NOT NULL AS erased FROM contacts WHERE team_id = $1 AND id = $2`,
};
