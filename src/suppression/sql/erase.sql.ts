import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';

/**
 * The entry stays on the list in the erased form, without its reason, which is free text. $1 team, $2 number,
 * $3 erased form.
 */
export const ERASE_DO_NOT_CALL: Statement = {
  name: 'erase_do_not_call',
  text: `
    WITH clear AS (
      DELETE FROM do_not_call WHERE team_id = $1 AND phone_number = $2 RETURNING team_id, created_at
    )
    INSERT INTO do_not_call (team_id, phone_number, reason, created_at)
    SELECT team_id, $3, NULL, created_at FROM clear
    ON CONFLICT (team_id, phone_number) DO NOTHING`,
};

/** The erasure of a contact ends the permission to call its number. $1 team, $2 number. */
export const ERASE_WHITELIST: Statement = {
  name: 'erase_whitelist',
  text: 'DELETE FROM whitelist WHERE team_id = $1 AND phone_number = $2',
};

/**
 * The entries of a person's number in all its forms. $1 team, $2 number, $3 where the page begins. For the
 * first page, $3 is the empty string. For the second page, which is always empty, $3 is the last number.
 */
export const EXPORT_DO_NOT_CALL: Statement = {
  name: 'export_do_not_call',
  text: `
    SELECT json_build_object('phoneNumber', phone_number, 'reason', reason, 'createdAt', ${isoInstant('created_at')})::text AS item,
      ARRAY[phone_number] AS after
    FROM do_not_call
    WHERE team_id = $1 AND phone_number IN (person_number($2), other_number_of_person($2)) AND phone_number > $3
    ORDER BY phone_number`,
};

/** As {@link EXPORT_DO_NOT_CALL}, for the number only. */
export const EXPORT_WHITELIST: Statement = {
  name: 'export_whitelist',
  text: `
    SELECT json_build_object('phoneNumber', phone_number, 'createdAt', ${isoInstant('created_at')})::text AS item,
      ARRAY[phone_number] AS after
    FROM whitelist WHERE team_id = $1 AND phone_number = $2 AND phone_number > $3`,
};
