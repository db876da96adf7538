import { resultOf } from '../../results/results.sql.js';
import { campaignOf, externalIdOf } from '../../dialing/facts/external-ids.sql.js';
import { firstMessageOf } from '../../dialing/facts/details.sql.js';
import { callOf } from '../../dialing/facts/facts.sql.js';
import { ERASED_PREFIX } from '../../domain/erased-number.js';
import { type CallResultView } from '../../http/call-result-fields.js';
import { type EventType, isAbout } from '../event-types.js';

/** An event with what its view needs. */
export interface EventRow {
  id: string;
  type: EventType;
  at: Date;
  team_id: string;
  data: Record<string, unknown>;
  /** The first message of a call that was claimed. */
  first_message: string | null;
  /** The result of a call, if it had one when the event was written. */
  result: CallResultView | null;
  /** The source of an enrollment. */
  source: string | null;
  /** The external id that the contact of a call or an enrollment has now. */
  external_id: string | null;
  /** The campaign of a call. */
  campaign_id: string | null;
}

/** An event that has a number. */
export interface NumberedEventRow extends EventRow {
  /** The sequence, a safe integer as text. */
  sequence: string;
}

/**
 * SQL: positions and sequences of a team's events after a sequence, unordered, with `last` and `n`, whose order
 * is that of the events. It has the first `most` of these events, and can have more, up to the end of their
 * batch. Batches after it are not read. The numbers of a batch are computed once: `cardinality` reads the whole
 * array, so computing it for each event took milliseconds an event.
 *
 * @param team SQL for the team. @param after SQL for the sequence. @param most SQL for how many.
 */
export function numbersAfter(team: string, after: string, most: string): string {
  return `
      SELECT u.position, b.before + u.n AS sequence, b.last, u.n
      FROM (
        SELECT c.last, c.positions, c.last - c.size AS before, sum(c.new) OVER (ORDER BY c.last) - c.new AS skipped
        FROM (
          SELECT e.last, e.positions, e.size, least(e.size, e.last - ${after}) AS new
          FROM (
            SELECT b.last, b.positions, cardinality(b.positions) AS size FROM event_batches b
            WHERE b.team_id = ${team} AND b.last > ${after}
            ORDER BY b.last
            LIMIT ${most}) e) c) b
      CROSS JOIN LATERAL unnest(b.positions) WITH ORDINALITY AS u (position, n)
      WHERE b.skipped < ${most} AND b.before + u.n > ${after}`;
}

/**
 * SQL: the columns of an {@link EventRow}. The first message and the result of a call, the source of an
 * enrollment, the external id of a contact, and the campaign of a call are not copied into events. These values
 * do not change once they are set, except the external id. When a value is removed from its row, events show null
 * instead. After an erasure, a call in progress keeps its first
 * message until the call ends, but its events do not show the message.
 *
 * @param event the alias of the events, whose teams the transaction's scope includes.
 */
export function eventColumns(event: string): string {
  // Under row-level security, Postgres looks rows up by the index on their ids only if this is a CASE.
  const id = `CASE WHEN ${event}.call_id IS NULL THEN (${event}.data->>'id')::uuid ELSE ${event}.call_id END`;
  const isCall = isAbout('call', `${event}.type`);
  const columnOf = (column: string) =>
    `CASE WHEN ${event}.call_id IS NULL THEN (${event}.data->>'${column}')::uuid ELSE ${event}.${column} END`;
  const callerId = `coalesce(${event}.caller_id, ${event}.data->>'caller_id')`;
  const isErased = `starts_with(coalesce(${event}.phone_number, ${event}.data->>'phone_number'), '${ERASED_PREFIX}')`;
  return `${event}.id, ${event}.type, ${event}.at, ${event}.team_id, coalesce(${event}.data, ${callData(event)}) AS data,
      CASE WHEN ${isCall} AND ${callerId} IS NOT NULL AND NOT ${isErased}
        THEN (SELECT ${firstMessageOf('r')} FROM (${callOf(id)}) r) END AS first_message,
      CASE WHEN ${isCall} AND EXISTS (SELECT FROM call_results u WHERE u.call_request_id = ${id} AND u.recorded_at <= ${event}.at)
        THEN ${resultOf(id)} END AS result,
      CASE WHEN ${isAbout('enrollment', `${event}.type`)} THEN (SELECT n.source FROM enrollments n WHERE n.id = ${id}) END AS source,
      CASE WHEN ${isCall} OR ${isAbout('enrollment', `${event}.type`)} THEN ${externalIdOf(columnOf('contact_id'))} END AS external_id,
      CASE WHEN ${isCall} THEN ${campaignOf(columnOf('enrollment_id'))} END AS campaign_id`;
}

/** SQL: the call of an event that stores the columns of its call, in the form of `call_event_data`. */
function callData(event: string): string {
  const columns = [
    'agent_id',
    'enrollment_id',
    'accepted_at',
    'status',
    'reason',
    'runs_at',
    'expires_at',
    'contact_id',
    'phone_number',
    'caller_id',
    'answered_at',
    'ended_at',
    'duration_seconds',
    'unknown_placeholders',
  ];
  const pairs = columns.map((column) => `'${column}', ${event}.${column}`);
  return `jsonb_build_object('id', ${event}.call_id, ${pairs.join(', ')})`;
}

/**
 * SQL: the size of the columns of {@link eventColumns} that may be large. @param row the alias of the row.
 */
export function eventBytes(row: string): string {
  return `octet_length(${row}.data::text) + coalesce(octet_length(${row}.first_message), 0)
      + coalesce(octet_length(${row}.result::text), 0)`;
}
