/** The token of the list of all tables with personal data, which the root composes. */
export const PERSONAL_TABLES = Symbol('PERSONAL_TABLES');
