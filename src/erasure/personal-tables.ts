/** Injects every table with personal data, as the root composes them. */
export const PERSONAL_TABLES = Symbol('PERSONAL_TABLES');
