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
