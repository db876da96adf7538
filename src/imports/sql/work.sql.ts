import { LOCK_WAIT_MS } from '../../database/team-scope.js';
import { type Statement } from '../../database/transactions.js';
import { type ImportMode } from '../import.entity.js';

/**
 * Longer than a batch usually takes. If a worker is killed, another worker continues its import after this
 * time.
 */
const LEASE = `interval '5 seconds'`;

/** An import that this worker has leased. */
export interface TakenImport extends Record<string, unknown> {
  id: string;
  team_id: string;
  mode: ImportMode;
  campaign_id: string | null;
  version_id: string | null;
  columns: string[] | null;
  next_row: number;
  /** The team's default country, as an ISO 3166 code. */
  default_country: string | null;
  accept_unknown_ranges: boolean;
}

export const TAKE_IMPORT: Statement = { name: 'take_import', text: `SELECT * FROM take_import(${LEASE})` };

/** Ends the lease, so that any worker can continue the import. $1 import, $2 team. */
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

/** The chunk that contains a row. $1 import, $2 team, $3 row. */
export const CHUNK_OF_ROW: Statement = {
  name: 'import_chunk_of_row',
  text: `
    SELECT c.first_row, c.rows, c.data, c.xmin::text AS revision FROM import_chunks c
    WHERE c.team_id = $2 AND c.import_id = $1 AND c.first_row <= $3 AND c.first_row + c.rows > $3
    ORDER BY c.first_row DESC LIMIT 1`,
};

/**
 * Bounds the batch's waits for locks, and allows hash joins. A batch joins up to 150 rows, for which hash
 * joins are faster than nested loops.
 */
export const OPEN_BATCH: Statement = {
  name: 'open_import_batch',
  text: `SELECT set_config('lock_timeout', '${LOCK_WAIT_MS}', true), set_config('enable_hashjoin', 'on', true)`,
};

/**
 * Locks an import and its chunk for a batch. It returns no row if the import is not running, another batch is
 * next, or the chunk has changed. $1 import, $2 team, $3 first row of the batch, $4 first row of the chunk,
 * $5 revision of the chunk.
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
 * failed. Only the commit of the last batch waits for the disk. If Postgres crashes and loses other batches,
 * their rows are processed again.
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

/** Deletes a chunk whose rows are all processed. $1 import, $2 team, $3 first row of the chunk. */
export const DELETE_CHUNK: Statement = {
  name: 'delete_import_chunk',
  text: 'DELETE FROM import_chunks WHERE team_id = $2 AND import_id = $1 AND first_row = $3',
};
