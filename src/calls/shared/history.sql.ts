const ISO_NOW = `to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * SQL: the history entry of a transition of the call `r`, at the instant of the statement's relation `clock`.
 *
 * @param to SQL for the new status. @param cause SQL for the cause.
 */
export function historyEntry(to: string, cause: string): string {
  return `jsonb_build_object('at', ${ISO_NOW}, 'from', r.status, 'to', ${to}::text, 'cause', ${cause}::text)`;
}
