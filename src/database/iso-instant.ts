/**
 * SQL: an instant as ISO 8601 in UTC with milliseconds; null stays null.
 * @param instant SQL for a timestamptz.
 */
export function isoInstant(instant: string): string {
  return `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
