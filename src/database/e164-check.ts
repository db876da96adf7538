/** The check of a column that also holds erased numbers, with the same text as in the migrations. */
export const STORED_NUMBER_CHECK = String.raw`phone_number ~ '^(\+[1-9][0-9]{6,14}|erased:[0-9a-f-]{36,64})$'`;

/** The check of a column that holds no erased numbers, with the same text as in the migrations. */
export const E164_CHECK = String.raw`phone_number ~ '^\+[1-9][0-9]{6,14}$'`;
