/** The check that every column of phone numbers carries, worded as in the migrations. */
export const E164_CHECK = String.raw`phone_number ~ '^\+[1-9][0-9]{6,14}$'`;
