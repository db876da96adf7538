import { LOCK_WAIT_MS } from '../../database/team-scope.js';
import { type Statement } from '../../database/transactions.js';
import { type ImportMode } from '../import.entity.js';

/** Longer than any batch. After it, another worker continues the import of a worker that was killed. */
const LEASE = `interval '5 seconds'`;

/** An import that this worker processes for a while. */
export interface TakenImport extends Record<string, unknown> {
  id: string;
  team_id: string;
  mode: ImportMode;
  campaign_id: string | null;
  version_id: string | null;
  columns: string[] | null;
  next_row: number;
  /** ISO 3166 of the team. */
  default_country: string | null;
}

export const TAKE_IMPORT: Statement = { name: 'take_import', text: `SELECT * FROM take_import(${LEASE})` };

/** Lets another worker continue. $1 import, $2 team. */
export const RELEASE_IMPORT: Statement = {
  name: 'release_import',
  text: `UPDATE imports SET leased_until = NULL WHERE team_id = $2 AND id = $1 AND status = 'running'`,
};

export const CLOSE_STALE: Statement = {
  name: 'close_stale_imports',
  text: 'SELECT close_stale_imports() AS closed',
};

/** $1 batch size. */
export const REMOVE_OLD: Statement = {
  name: 'remove_old_imports',
  text: 'SELECT remove_old_imports($1) AS removed',
};

export interface ChunkRow extends Record<string, unknown> {
  first_row: number;
  rows: number;
  data: string;
  /** Changes when an erasure changes the chunk. */
  revision: string;
}

/** The chunk with a row. $1 import, $2 team, $3 row. */
export const CHUNK_OF_ROW: Statement = {
  name: 'import_chunk_of_row',
  text: `
    SELECT c.first_row, c.rows, c.data, c.xmin::text AS revision FROM import_chunks c
    WHERE c.team_id = $2 AND c.import_id = $1 AND c.first_row <= $3 AND c.first_row + c.rows > $3
    ORDER BY c.first_row DESC LIMIT 1`,
};

/** A batch joins hundreds of rows; hash joins are faster for that than nested loops. */
export const OPEN_BATCH: Statement = {
  name: 'open_import_batch',
  text: `SELECT set_config('lock_timeout', '${LOCK_WAIT_MS}', true), set_config('enable_hashjoin', 'on', true)`,
};

/**
 * Locks an import and its chunk for a batch. It returns no row if the batch is not the next one any more, or
 * the chunk has changed. $1 import, $2 team, $3 first row of the batch, $4 first row of the chunk, $5
 * revision of the chunk.
 */
export const LOCK_BATCH: Statement = {
  name: 'lock_import_batch',
  text: `
    SELECT i.id FROM imports i JOIN import_chunks c ON c.team_id = i.team_id AND c.import_id = i.id AND c.first_row = $4
    WHERE i.team_id = $2 AND i.id = $1 AND i.status = 'running' AND i.next_row = $3 AND c.xmin::text = $5
    FOR NO KEY UPDATE OF i, c`,
};

/** $1 import, $2 team, $3 first row of the batch, $4 failed rows, $5 results as JSON. */
export const STORE_RESULTS: Statement = {
  name: 'store_import_results',
  text: 'INSERT INTO import_results (import_id, team_id, first_row, failed, results) VALUES ($1, $2, $3, $4, $5)',
};

/**
 * $1 import, $2 team, $3 the next row; $4 to $7 rows of the batch that were created, updated, enrolled,
 * failed. Only the last batch waits for the disk: what a crash of Postgres takes back is processed again.
 */
export const ADVANCE_IMPORT: Statement = {
  name: 'advance_import',
  text: `
    UPDATE imports SET next_row = $3::integer, created = created + $4::integer, updated = updated + $5::integer,
      enrolled = enrolled + $6::integer, failed = failed + $7::integer,
      status = CASE WHEN $3 > rows THEN 'finished' ELSE status END,
      finished_at = CASE WHEN $3 > rows THEN date_trunc('milliseconds', outdial_now()) END,
      leased_until = CASE WHEN $3 <= rows THEN outdial_now() + ${LEASE} END
    WHERE team_id = $2 AND id = $1
    RETURNING CASE WHEN next_row <= rows THEN set_config('synchronous_commit', 'off', true) END`,
};

/** Deletes a chunk that is done. $1 import, $2 team, $3 first row of the chunk. */
export const DELETE_CHUNK: Statement = {
  name: 'delete_import_chunk',
  text: 'DELETE FROM import_chunks WHERE team_id = $2 AND import_id = $1 AND first_row = $3',
};
