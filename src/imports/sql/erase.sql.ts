import { type Statement } from '../../database/transactions.js';
import { ENDING_DIGITS } from '../ending.js';

/**
 * An ending of fewer than nine digits is compared only if it is greater than this: fewer than six digits
 * would match many numbers.
 */
const LEAST_ENDING = 99_999;

/**
 * SQL: whether an ending may be that of the E.164 number $2. A number in national form may be shorter than
 * {@link ENDING_DIGITS}. Its ending is stored as a whole number, and so without leading zeros.
 */
const isOf = (ending: string) =>
  `(${ending} = right($2, ${ENDING_DIGITS})::integer OR (${ending} > ${LEAST_ENDING} AND $2 LIKE '%' || ${ending}))`;

/**
 * Removes the rows with a person's phone number from chunks that are not processed. A removed row becomes
 * null, so that it still gets a result. The numbers of an import of suppressions stay until they are on the Do Not
 * Call list, because the person must not be called. $1 team, $2 number.
 */
export const ERASE_IMPORTED: Statement = {
  name: 'erase_imported',
  text: `
    UPDATE import_chunks c SET
      data = (
        SELECT json_agg(CASE WHEN NOT ${isOf('c.endings[e.n]')} THEN e.value END ORDER BY e.n)::text
        FROM json_array_elements(c.data::json) WITH ORDINALITY AS e (value, n)),
      endings = ARRAY(SELECT CASE WHEN ${isOf('e.ending')} THEN -1 ELSE e.ending END FROM unnest(c.endings) WITH ORDINALITY AS e (ending, n) ORDER BY e.n)
    WHERE c.team_id = $1 AND EXISTS (SELECT FROM unnest(c.endings) AS e (ending) WHERE ${isOf('e.ending')})
      AND EXISTS (SELECT FROM imports i WHERE i.team_id = $1 AND i.id = c.import_id AND i.type <> 'suppressions')`,
};

/** Removes the rows with a person's phone number from the failed rows of imports. $1 team, $2 number. */
export const ERASE_FAILED_ROWS: Statement = {
  name: 'erase_failed_rows_of_imports',
  text: `
    UPDATE import_results r SET
      failed_rows = (
        SELECT json_agg(CASE WHEN NOT ${isOf('r.endings[e.n]')} THEN e.value END ORDER BY e.n)
        FROM json_array_elements(r.failed_rows) WITH ORDINALITY AS e (value, n)),
      endings = ARRAY(SELECT CASE WHEN ${isOf('e.ending')} THEN -1 ELSE e.ending END FROM unnest(r.endings) WITH ORDINALITY AS e (ending, n) ORDER BY e.n)
    WHERE r.team_id = $1 AND r.endings IS NOT NULL AND EXISTS (SELECT FROM unnest(r.endings) AS e (ending) WHERE ${isOf('e.ending')})`,
};
