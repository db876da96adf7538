const CONTACT_COLUMNS = ['name', 'email', 'company_name', 'company_website', 'timezone'];

/**
 * SQL: whether a contact's row has all columns that a request sent, so that merging them would write the row for nothing.
 *
 * @param sent a row of the request; null is what was not sent.
 * @param stored the contact's row, which may be missing.
 */
export function hasAllColumns(sent: string, stored: string): string {
  const columns = CONTACT_COLUMNS.map(
    (column) => `(${sent}.${column} IS NULL OR ${sent}.${column} = ${stored}.${column})`,
  );
  return `coalesce(${stored}.id IS NOT NULL AND ${columns.join('\n          AND ')}, false)`;
}

/**
 * SQL: the one contact with a number, looked up by that. In a plain join Postgres may go through all contacts of the team, which it takes
 * for few until statistics tell otherwise.
 */
export function contactOf(team: string, phoneNumber: string): string {
  return `SELECT * FROM contacts WHERE team_id = ${team} AND phone_number = ${phoneNumber} OFFSET 0`;
}
