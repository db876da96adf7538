import { resultOf } from '../../calls/results/results.sql.js';
import { firstMessageOf } from '../../calls/shared/details.sql.js';
import { callOf } from '../../calls/shared/facts.sql.js';
import { ERASED_PREFIX } from '../../domain/erased-number.js';
import { type CallResultView } from '../../http/call-result-fields.js';
import { type EventType } from '../event-types.js';

/** An event with what its view needs. */
export interface EventRow {
  id: string;
  type: EventType;
  at: Date;
  team_id: string;
  data: Record<string, unknown>;
  /** Of a call that was claimed. */
  first_message: string | null;
  /** Of a call that had a result when the event was written. */
  result: CallResultView | null;
  /** Of an enrollment. */
  source: string | null;
}

/** An event that has a number. */
export interface NumberedEventRow extends EventRow {
  /** A number that is a safe integer, as text. */
  sequence: string;
}

/**
 * SQL: positions and numbers of a team's events after a number, without an order. `last` and `n` are their
 * order.
 *
 * @param team SQL for the team. @param after SQL for the number.
 */
export function numbersAfter(team: string, after: string): string {
  return `
      SELECT u.position, b.last - cardinality(b.positions) + u.n AS sequence, b.last, u.n
      FROM event_batches b CROSS JOIN LATERAL unnest(b.positions) WITH ORDINALITY AS u (position, n)
      WHERE b.team_id = ${team} AND b.last > ${after} AND b.last - cardinality(b.positions) + u.n > ${after}`;
}

/**
 * SQL: the columns of an {@link EventRow}. The first message and the result of a call, and the label of an
 * enrollment, are not copied into events. They do not change once they are set, and are null as soon as they
 * are removed from their rows. After an erasure a call in progress keeps its first message until it ends; its
 * events do not show it.
 *
 * @param event its relation, of the team of the transaction's scope.
 */
export function eventColumns(event: string): string {
  // Behind the policies, only a CASE leads to the index of the ids.
  const id = `CASE WHEN ${event}.call_id IS NULL THEN (${event}.data->>'id')::uuid ELSE ${event}.call_id END`;
  const isCall = `starts_with(${event}.type, 'call.')`;
  const callerId = `coalesce(${event}.caller_id, ${event}.data->>'caller_id')`;
  const isErased = `starts_with(coalesce(${event}.phone_number, ${event}.data->>'phone_number'), '${ERASED_PREFIX}')`;
  return `${event}.id, ${event}.type, ${event}.at, ${event}.team_id, coalesce(${event}.data, ${callData(event)}) AS data,
      CASE WHEN ${isCall} AND ${callerId} IS NOT NULL AND NOT ${isErased}
        THEN (SELECT ${firstMessageOf('r')} FROM (${callOf(id)}) r) END AS first_message,
      CASE WHEN ${isCall} AND EXISTS (SELECT FROM call_results u WHERE u.call_request_id = ${id} AND u.recorded_at <= ${event}.at)
        THEN ${resultOf(id)} END AS result,
      CASE WHEN starts_with(${event}.type, 'enrollment.') THEN (SELECT n.source FROM enrollments n WHERE n.id = ${id}) END AS source`;
}

/** SQL: the call of an event that keeps its columns, as `call_event_data` says it. */
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

/** SQL: the size of what may be large in a row of {@link eventColumns}. @param row its relation. */
export function eventBytes(row: string): string {
  return `octet_length(${row}.data::text) + coalesce(octet_length(${row}.first_message), 0)
      + coalesce(octet_length(${row}.result::text), 0)`;
}
