const CONTACT_COLUMNS = ['name', 'email', 'company_name', 'company_website', 'timezone'];

/**
 * SQL: whether a contact's row already has all columns that a request sent, so that no write is needed.
 *
 * @param sent a row of the request, in which a column that was not sent is null.
 * @param stored the contact's row, which may be missing.
 */
export function hasAllColumns(sent: string, stored: string): string {
  const columns = CONTACT_COLUMNS.map(
    (column) => `(${sent}.${column} IS NULL OR ${sent}.${column} = ${stored}.${column})`,
  );
  return `coalesce(${stored}.id IS NOT NULL AND ${columns.join('\n          AND ')}, false)`;
}

/**
 * SQL: the assignments of an update by which sent columns replace stored ones.
 *
 * @param sent a row of the request, in which a column that was not sent is null.
 * @param stored the contact's row.
 */
export function mergeColumns(sent: string, stored: string): string {
  const columns = CONTACT_COLUMNS.map(
    (column) => `${column} = coalesce(${sent}.${column}, ${stored}.${column})`,
  );
  return columns.join(',\n        ');
}

/**
 * SQL: the contact with a number, looked up by the number. In a plain join, Postgres may scan all contacts of
 * the team. Without statistics it assumes that the team has few.
 */
export function contactOf(team: string, phoneNumber: string): string {
  return `SELECT * FROM contacts WHERE team_id = ${team} AND phone_number = ${phoneNumber} OFFSET 0`;
}
