import { isoInstant } from '../../database/iso-instant.js';

const ISO_NOW = isoInstant('clock.now');

/**
 * SQL: the history entry of a transition of the call `r`, at the instant of the statement's relation `clock`.
 *
 * @param to SQL for the new status. @param cause SQL for the cause.
 */
export function historyEntry(to: string, cause: string): string {
  return `jsonb_build_object('at', ${ISO_NOW}, 'from', r.status, 'to', ${to}::text, 'cause', ${cause}::text)`;
}

/*
 * The details of a call are in `call_details` if the call's id contains a month. Older calls have their
 * details in their own rows. Every reader uses these fragments. The statements of the hot path insert details
 * and do not read them.
 */

/** SQL: whether a call's details are in `call_details`. @param id SQL for its id. */
export function hasDetailsApart(id: string): string {
  return `uuid_extract_version(${id}) = 7`;
}

/**
 * SQL: a column of the details of the claim that has the call's current generation.
 *
 * @param call its relation. @param id SQL for the call's id. With a parameter, Postgres prepares only the
 *   partition of the id's month.
 */
function dialOf(column: string, call: string, id: string): string {
  return `(SELECT d.${column} FROM call_details d WHERE d.id = ${id} AND d.generation = ${call}.generation)`;
}

/**
 * SQL: the decisions about a call, the oldest first.
 * @param call its relation. @param id see {@link dialOf}.
 */
export function decisionsOf(call: string, id = `${call}.id`): string {
  return `(coalesce(
      (SELECT jsonb_agg(d.decision ORDER BY d.generation) FROM call_details d
        WHERE d.id = ${id} AND d.decision IS NOT NULL), '[]') || ${call}.decisions)`;
}

/** SQL. @param call its relation. @param id see {@link dialOf}. */
export function variablesOf(call: string, id = `${call}.id`): string {
  return `CASE WHEN ${call}.variables = '{}' THEN coalesce(${dialOf('variables', call, id)}, '{}') ELSE ${call}.variables END`;
}

/** SQL. @param call its relation. @param id see {@link dialOf}. */
export function promptOf(call: string, id = `${call}.id`): string {
  return `coalesce(${call}.prompt, ${dialOf('prompt', call, id)})`;
}

/** SQL. @param call its relation. @param id see {@link dialOf}. */
export function firstMessageOf(call: string, id = `${call}.id`): string {
  return `coalesce(${call}.first_message, ${dialOf('first_message', call, id)})`;
}
