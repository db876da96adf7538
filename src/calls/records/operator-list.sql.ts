import { writtenConditions } from '../../lists/filter-sql.js';
import { exactInstant, type Position, WALK_WINDOW, walking } from '../../lists/newest-first.js';
import { type CallState, phaseOf } from '../../domain/call-states.js';
import { callOf, isAwake, isPendingCall, ofManyNumbers } from '../../dialing/facts/facts.sql.js';
import { CALL_FILTERS } from './call-filters.js';
import { type ListOrder, type ListSource, type OperatorCallFilters, orderOf } from './operator-filters.js';

/*
 * The calls of one team or of all teams, by the filters of operators. A statement is written for the filters
 * that are set, so Postgres plans it for their values. Like the statements of the team's own list, it walks
 * one index and applies the other filters to each call.
 */

/** A statement with its parameters. */
export interface ListStatement {
  text: string;
  values: unknown[];
}

/** At most `limit` calls after a cursor. `chunk`: about how many calls of all teams are looked at. */
export interface ListStep {
  after: Position;
  limit: number;
  chunk: number;
}

export function listStatement(
  source: ListSource,
  filters: OperatorCallFilters,
  step: ListStep,
): ListStatement {
  return written((parameter) => textOf(source, filters, step, parameter));
}

function written(textWith: (parameter: Parameter) => string): ListStatement {
  const values: unknown[] = [];
  return { text: textWith((value, type) => `$${values.push(value)}::${type}`), values };
}

/** Adds a parameter. @returns SQL for it. */
type Parameter = (value: unknown, type: string) => string;

function textOf(
  source: ListSource,
  filters: OperatorCallFilters,
  step: ListStep,
  parameter: Parameter,
): string {
  const order = orderOf(filters);
  const afterCursor = afterCursorOf(step.after, order, filters, parameter);
  const limit = parameter(step.limit, 'integer');
  const range = rangeOf(filters, parameter);
  const matches = allOf(othersOf(besides(source, filters), parameter));
  const of = (calls: string, where: string[], matching: string) =>
    walking(
      `SELECT r.${order.column} AS at, r.id AS key, ${matching} AS matches FROM ${calls} r
      WHERE ${allOf([...where, ...range, afterCursor('r', order.column)])}`,
      limit,
      order.direction,
    );
  switch (source) {
    case 'number':
      return of(numberOf(filters, parameter), [matches], 'true');
    case 'open':
      return of(openOf(filters, parameter), [matches], 'true');
    case 'campaign': {
      // A campaign's call is accepted when it is dialed. A dial whose call was removed does not match.
      const rows = `SELECT d.claimed_at AS at, d.call_request_id AS key, EXISTS (
          SELECT FROM (${callOf('d.call_request_id')}) r WHERE ${matches}) AS matches
        FROM enrollment_dials d
        WHERE d.campaign_id = ${parameter(filters.campaignId, 'uuid')} AND ${afterCursor('d', 'claimed_at', 'call_request_id')}`;
      return walking(rows, limit);
    }
    case 'agent':
      return of('call_requests', [`r.agent_id = ${parameter(filters.agentId, 'uuid')}`], matches);
    case 'team':
      return of('call_requests', [`r.team_id = ${parameter(filters.teamId, 'uuid')}`], matches);
    case 'teams':
      return ofAllTeams(afterCursor, matches, limit, parameter(step.chunk, 'integer'));
    case 'due':
    case 'ended':
      return of('call_requests', [], matches);
  }
}

/** The filters that the source does not apply itself. */
function besides(source: ListSource, filters: OperatorCallFilters): OperatorCallFilters {
  if (source === 'team') return { ...filters, teamId: null };
  if (source === 'agent') return { ...filters, agentId: null };
  return source === 'campaign' ? { ...filters, campaignId: null } : filters;
}

/**
 * The calls of all teams. No index has them in this order. For each team, an index leads to its n-th call
 * after the cursor. The latest of these n-th calls ends the window. The window therefore has at most n calls
 * of each team, and no call between the cursor and this end is left out.
 */
function ofAllTeams(afterCursor: AfterCursor, matches: string, limit: string, chunk: string): string {
  const walked = `FROM call_requests r WHERE r.team_id = t.id AND ${afterCursor('r', 'accepted_at')}`;
  const newest = 'ORDER BY r.accepted_at DESC, r.id DESC';
  return `
    WITH edge AS MATERIALIZED (
      SELECT e.accepted_at AS at, e.id FROM teams t CROSS JOIN LATERAL (
        SELECT r.accepted_at, r.id ${walked} ${newest}
        OFFSET greatest(${limit}, ${chunk} / (SELECT greatest(count(*), 1)::integer FROM teams)) LIMIT 1) e
      UNION ALL SELECT NULL, NULL
      ORDER BY at DESC NULLS LAST, id DESC LIMIT 1
    ), walked AS MATERIALIZED (
      SELECT w.*, w.n = max(w.n) OVER () AND (edge.at IS NOT NULL OR w.n = ${WALK_WINDOW}) AS ends FROM (
        SELECT r.*, row_number() OVER (ORDER BY r.at DESC, r.key DESC) AS n
        FROM edge CROSS JOIN teams t CROSS JOIN LATERAL (
          SELECT r.accepted_at AS at, r.id AS key, ${matches} AS matches ${walked}
            AND (r.accepted_at, r.id) >= (coalesce(edge.at, '-infinity'), coalesce(edge.id, '00000000-0000-0000-0000-000000000000'))
          ${newest} LIMIT ${WALK_WINDOW}) r
        ORDER BY r.at DESC, r.key DESC LIMIT ${WALK_WINDOW}
      ) w CROSS JOIN edge
    )
    SELECT ${exactInstant('w.at')} AS at, w.key::text AS key, w.matches, w.ends FROM walked w
    WHERE w.matches OR w.ends
    ORDER BY w.at DESC, w.key DESC
    LIMIT ${limit}`;
}

type AfterCursor = (row: string, at: string, id?: string) => string;

/** SQL: a row is after the cursor, and within the range of acceptance. */
function afterCursorOf(
  cursor: Position,
  { direction }: ListOrder,
  { acceptedFrom, acceptedTo, due, ended }: OperatorCallFilters,
  parameter: Parameter,
): AfterCursor {
  const sign = direction === 'ASC' ? '>' : '<';
  const start = `(${parameter(cursor.at, 'timestamptz')}, ${parameter(cursor.key, 'uuid')})`;
  const from = acceptedFrom === null ? null : parameter(acceptedFrom, 'timestamptz');
  const to = acceptedTo === null ? null : parameter(acceptedTo, 'timestamptz');
  const byAcceptance = due === null && ended === null;
  return (row, at, id = 'id') => {
    const accepted = `${row}.${byAcceptance ? at : 'accepted_at'}`;
    return allOf([
      `(${row}.${at}, ${row}.${id}) ${sign} ${start}`,
      ...(from === null ? [] : [`${accepted} >= ${from}`]),
      ...(to === null ? [] : [`${accepted} < ${to}`]),
    ]);
  };
}

/** SQL: the conditions that an index has for calls that ended, or that are due. */
function rangeOf({ ended, due }: OperatorCallFilters, parameter: Parameter): string[] {
  const conditions: string[] = [];
  if (ended !== null) {
    conditions.push(`r.ended_at >= ${parameter(ended.from, 'timestamptz')}`);
    conditions.push(`r.ended_at < ${parameter(ended.to, 'timestamptz')}`);
  }
  if (due === null) return conditions;
  conditions.push(isPendingCall('r'), isAwake('r'));
  const now = parameter(due.now, 'timestamptz');
  if (due.kind === 'overdue') return [...conditions, `r.runs_at <= ${now}`];
  conditions.push(`r.runs_at > ${now}`, `r.runs_at >= ${parameter(due.from, 'timestamptz')}`);
  return [...conditions, `r.runs_at < ${parameter(due.to, 'timestamptz')}`];
}

/** SQL: the filters that are applied to each call `r`. */
function othersOf(filters: OperatorCallFilters, parameter: Parameter): string[] {
  const { teamId, due } = filters;
  const conditions = writtenConditions(CALL_FILTERS, filters, parameter);
  // `IS TRUE` keeps Postgres from using another index than the one that is walked.
  if (teamId !== null) conditions.push(`(r.team_id = ${parameter(teamId, 'uuid')}) IS TRUE`);
  if (due?.kind === 'overdue') {
    const paused = `SELECT t.paused OR s.paused FROM teams t CROSS JOIN platform_settings s WHERE t.id = r.team_id`;
    conditions.push(`(${paused}) = ${parameter(due.paused, 'boolean')}`);
  }
  return conditions;
}

function allOf(conditions: string[]): string {
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** SQL: the calls to a number, of the team or of each team. */
function numberOf({ teamId, phoneNumber }: OperatorCallFilters, parameter: Parameter): string {
  const calls = (team: string) =>
    `SELECT * FROM call_requests WHERE team_id = ${team} AND phone_number = ${parameter(phoneNumber, 'text')} OFFSET 0`;
  if (teamId !== null) return `(${calls(parameter(teamId, 'uuid'))})`;
  return `(SELECT c.* FROM teams t CROSS JOIN LATERAL (${calls('t.id')}) c)`;
}

/** SQL: the calls in the phase of an open status, which are few. */
function openOf(filters: OperatorCallFilters, parameter: Parameter): string {
  return `(SELECT o.* FROM call_requests o WHERE ${openCalls(filters, parameter)} OFFSET 0)`;
}

function openCalls({ teamId, status }: OperatorCallFilters, parameter: Parameter): string {
  const ofTeam = teamId === null ? [] : [`o.team_id = ${parameter(teamId, 'uuid')}`];
  return allOf([`o.phase = ${phaseOf(status as CallState)}`, ofManyNumbers('o'), ...ofTeam]);
}

/** Counts the calls in the phase of an open status, up to `most`. */
export function openCountStatement(filters: OperatorCallFilters, most: number): ListStatement {
  return written(
    (parameter) => `SELECT count(*)::integer AS calls FROM (
      SELECT FROM call_requests o WHERE ${openCalls(filters, parameter)} LIMIT ${parameter(most, 'integer')}) c`,
  );
}

/** A call in the operators' list, with the names that go with it. */
export interface OperatorCallRow {
  id: string;
  team_id: string;
  team: string;
  phone_number: string;
  contact_id: string;
  contact: string | null;
  /** The zone of the called person. */
  zone: string;
  status: CallState;
  reason: string | null;
  accepted_at: Date;
  runs_at: Date;
  ended_at: Date | null;
  caller_id: string | null;
  /** Time talked, in seconds. */
  duration_seconds: number | null;
  /** Of the call's result. */
  disposition: string | null;
  agent_id: string;
  agent: string;
  enrollment_id: string | null;
  campaign_id: string | null;
  campaign: string | null;
}

/** $1 ids in their order. */
export const OPERATOR_CALLS = `
  SELECT r.id, r.team_id, t.name AS team, r.phone_number, c.id AS contact_id, c.name AS contact,
    coalesce(r.timezone, c.timezone, a.timezone) AS zone, r.status, r.reason, r.accepted_at, r.runs_at, r.ended_at,
    r.caller_id, r.duration_seconds, u.disposition, r.agent_id, a.name AS agent, r.enrollment_id, p.id AS campaign_id, p.name AS campaign
  FROM unnest($1::uuid[]) WITH ORDINALITY AS q (id, n)
  CROSS JOIN LATERAL (${callOf('q.id')}) r
  JOIN teams t ON t.id = r.team_id
  JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
  JOIN contacts c ON c.team_id = r.team_id AND c.id = r.contact_id
  LEFT JOIN call_results u ON u.call_request_id = r.id
  LEFT JOIN enrollments e ON e.id = r.enrollment_id
  LEFT JOIN campaigns p ON p.id = e.campaign_id
  ORDER BY q.n`;
