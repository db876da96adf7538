/**
 * SQL: whether a contact's row already has all columns that a request sent, so that no write is needed.
 *
 * @param columns the columns that the request may send.
 * @param sent a row of the request, in which a column that was not sent is null.
 * @param stored the contact's row, which may be missing.
 */
export function hasAllColumns(columns: readonly string[], sent: string, stored: string): string {
  const conditions = columns.map(
    (column) => `(${sent}.${column} IS NULL OR ${sent}.${column} = ${stored}.${column})`,
  );
  return `coalesce(${stored}.id IS NOT NULL AND ${conditions.join('\n          AND ')}, false)`;
}

/**
 * SQL: the assignments of an update by which sent columns replace stored ones.
 *
 * @param columns the columns that the request may send.
 * @param sent a row of the request, in which a column that was not sent is null.
 * @param stored the contact's row.
 */
export function mergeColumns(columns: readonly string[], sent: string, stored: string): string {
  const assignments = columns.map((column) => `${column} = coalesce(${sent}.${column}, ${stored}.${column})`);
  return assignments.join(',\n        ');
}

/**
 * SQL: the contact with a number, looked up by the number. In a plain join, Postgres may scan all contacts of
 * the team. Without statistics it assumes that the team has few.
 */
export function contactOf(team: string, phoneNumber: string): string {
  return `SELECT * FROM contacts WHERE team_id = ${team} AND phone_number = ${phoneNumber} OFFSET 0`;
}
