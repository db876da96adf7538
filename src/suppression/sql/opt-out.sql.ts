import { type Statement } from '../../database/transactions.js';

/**
 * Adds numbers to the Do Not Call list. Returns each number that was not on the list. The caller
 * holds the locks of the numbers. $1 team, $2 numbers, $3 reason, $4 the erased form of each number, or null.
 * A number whose erased form is on the list is not added.
 */
export const ADD_TO_DO_NOT_CALL: Statement = {
  name: 'add_to_do_not_call',
  text: `
    INSERT INTO do_not_call (team_id, phone_number, reason)
    SELECT $1, number, $3 FROM unnest($2::text[], $4::text[]) AS asked (number, erased)
    WHERE NOT EXISTS (SELECT FROM do_not_call d WHERE d.team_id = $1 AND d.phone_number = asked.erased)
    ON CONFLICT (team_id, phone_number) DO NOTHING
    RETURNING phone_number`,
};
