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
  /** A number that is a safe integer, as text. */
  sequence: string;
  data: Record<string, unknown>;
  /** Of a call that was claimed. */
  first_message: string | null;
  /** Of a call that had a result when the event was written. */
  result: CallResultView | null;
  /** Of an enrollment. */
  source: string | null;
}

/**
 * SQL: the columns of an {@link EventRow}. The first message and the result of a call, and the label of an enrollment, are not copied into
 * events. They do not change once they are set, and are null as soon as they are removed from their rows. After an erasure a call in
 * progress keeps its first message until it ends; its events do not show it.
 *
 * @param event its relation, of the team of the transaction's scope.
 */
export function eventColumns(event: string): string {
  const id = `(${event}.data->>'id')::uuid`;
  const isCall = `starts_with(${event}.type, 'call.')`;
  const isErased = `starts_with(${event}.data->>'phone_number', '${ERASED_PREFIX}')`;
  return `${event}.id, ${event}.type, ${event}.at, ${event}.team_id, ${event}.sequence, ${event}.data,
      CASE WHEN ${isCall} AND ${event}.data->>'caller_id' IS NOT NULL AND NOT ${isErased}
        THEN (SELECT ${firstMessageOf('r')} FROM (${callOf(id)}) r) END AS first_message,
      CASE WHEN ${isCall} AND EXISTS (SELECT FROM call_results u WHERE u.call_request_id = ${id} AND u.recorded_at <= ${event}.at)
        THEN ${resultOf(id)} END AS result,
      CASE WHEN starts_with(${event}.type, 'enrollment.') THEN (SELECT n.source FROM enrollments n WHERE n.id = ${id}) END AS source`;
}

/** SQL: the size of what may be large in a row of {@link eventColumns}. @param row its relation. */
export function eventBytes(row: string): string {
  return `octet_length(${row}.data::text) + coalesce(octet_length(${row}.first_message), 0)
      + coalesce(octet_length(${row}.result::text), 0)`;
}
