import { type Statement } from '../../database/transactions.js';
import { IS_THERE } from './read.sql.js';

export interface HeldChunkRow extends Record<string, unknown> {
  first_row: number;
  /** The rows as a JSON array. */
  data: string;
}

/** The next chunks of an import that is held. $1 import, $2 team, $3 first row of the last chunk or 0, $4 how many. */
export const HELD_CHUNKS: Statement = {
  name: 'held_import_chunks',
  text: `
    SELECT c.first_row, c.data FROM import_chunks c
    WHERE c.team_id = $2 AND c.import_id = $1 AND c.first_row > $3
    ORDER BY c.first_row LIMIT $4`,
};

/**
 * Changes what the columns of a held import are. It returns no row for another import. $1 import, $2 team, $3 the
 * columns as JSON.
 */
export const MAP_HELD_IMPORT: Statement = {
  name: 'map_held_import',
  text: `
    UPDATE imports i SET mapping = $3::json
    WHERE i.team_id = $2 AND i.id = $1 AND i.status = 'held' AND ${IS_THERE}
    RETURNING i.id`,
};

/**
 * Replaces the endings of chunks. An erased row keeps none. $1 import, $2 team, $3 a JSON array of `{first_row,
 * endings}`.
 */
export const REPLACE_ENDINGS: Statement = {
  name: 'replace_endings_of_import',
  text: `
    UPDATE import_chunks c SET endings = ARRAY(
      SELECT CASE WHEN c.endings[e.n] = -1 AND (c.data::json -> (e.n::integer - 1))::text = 'null' THEN -1 ELSE e.value::integer END
      FROM jsonb_array_elements_text(n.endings) WITH ORDINALITY AS e (value, n) ORDER BY e.n)
    FROM jsonb_to_recordset($3::jsonb) AS n (first_row integer, endings jsonb)
    WHERE c.team_id = $2 AND c.import_id = $1 AND c.first_row = n.first_row`,
};

/** Whether a row with a malformed e-mail address is an error. $1 import, $2 team. */
export const STRICTNESS_OF_IMPORT: Statement = {
  name: 'strictness_of_import',
  text: 'SELECT i.strict FROM imports i WHERE i.team_id = $2 AND i.id = $1',
};
