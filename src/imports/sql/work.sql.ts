import { LOCK_WAIT_MS } from '../../database/team-scope.js';
import { type ContactColumn } from '../../domain/contact-columns.js';
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
  next_row: number;
  /** The team's default country, as an ISO 3166 code. */
  default_country: string | null;
  accept_unknown_ranges: boolean;
}

export const TAKE_IMPORT: Statement = { name: 'take_import', text: `SELECT * FROM take_import(${LEASE})` };

/** An import of numbers that are not to be called, which this worker has leased. */
export interface TakenSuppressions extends Record<string, unknown> {
  id: string;
  team_id: string;
  next_row: number;
  /** The team's default country, as an ISO 3166 code. */
  default_country: string | null;
  has_erased_numbers: boolean;
}

export const TAKE_SUPPRESSIONS: Statement = {
  name: 'take_suppressions',
  text: `SELECT * FROM take_suppressions(${LEASE})`,
};

/** An import of consents, which this worker has leased. */
export interface TakenConsents extends Record<string, unknown> {
  id: string;
  team_id: string;
  next_row: number;
  /** The team's default country, as an ISO 3166 code. */
  default_country: string | null;
}

export const TAKE_CONSENTS: Statement = {
  name: 'take_consents',
  text: `SELECT * FROM take_consents(${LEASE})`,
};

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
  endings: number[];
  /** Changes when an erasure changes the chunk. */
  revision: string;
  /** The columns of a CSV file; null for NDJSON. */
  mapping: ContactColumn[] | null;
  strict: boolean;
}

/** The chunk that contains a row. $1 import, $2 team, $3 row. */
export const CHUNK_OF_ROW: Statement = {
  name: 'import_chunk_of_row',
  text: `
    SELECT c.first_row, c.rows, c.data, c.endings, c.xmin::text AS revision, i.mapping, i.strict
    FROM import_chunks c JOIN imports i ON i.team_id = c.team_id AND i.id = c.import_id
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

/**
 * $1 import, $2 team, $3 first row of the batch, $4 how many rows failed, $5 results and $6 the failed rows as
 * JSON, $7 their endings. The last two are null if no row failed.
 */
export const STORE_RESULTS: Statement = {
  name: 'store_import_results',
  text: `INSERT INTO import_results (import_id, team_id, first_row, failed, results, failed_rows, endings)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};

/** What a batch did to a contact. */
export interface BatchContact {
  id: string;
  created: boolean;
  /** The `updated_at` before the batch changed the contact; null if the batch created it or did not change it. */
  before: string | null;
  /** The enrollments that the batch made; null: none. */
  enrollments: string[] | null;
}

/**
 * $1 import, $2 team, $3 the next row, $4 the counts of the batch as JSON, $5 its {@link BatchContact}s as JSON, $6
 * how many of its rows have a contact. A contact that is listed already is that of an earlier row. Of a contact
 * that the import created, `changed_at` follows the changes of the import, until something else changes the
 * contact. Only the commit of the last batch waits for the disk. If Postgres crashes and loses other batches, their
 * rows are processed again.
 */
export const ADVANCE_IMPORT: Statement = {
  name: 'advance_import',
  text: `
    WITH listed AS (
      INSERT INTO import_contacts AS x (import_id, contact_id, team_id, created, changed_at, enrollments)
      SELECT $1, q.id, $2, q.created, CASE WHEN q.created THEN now() ELSE q.before END, q.enrollments
      FROM json_to_recordset($5::json) AS q (id uuid, created boolean, before timestamptz, enrollments uuid[])
      ON CONFLICT (import_id, contact_id) DO UPDATE SET
        changed_at = CASE WHEN x.created AND x.changed_at = excluded.changed_at THEN now() ELSE x.changed_at END,
        enrollments = x.enrollments || excluded.enrollments
      WHERE excluded.changed_at IS NOT NULL OR excluded.enrollments IS NOT NULL
      RETURNING old.import_id IS NULL AS is_new
    ), batch AS MATERIALIZED (
      SELECT q.*, $6::integer - (SELECT count(*) FROM listed WHERE is_new)::integer AS repeated
      FROM json_to_record($4::json)
        AS q (created integer, updated integer, enrolled integer, failed integer, warned integer, "withoutTimezone" integer, countries jsonb)
    )
    UPDATE imports i SET next_row = $3::integer, created = i.created + batch.created, updated = i.updated + batch.updated,
      enrolled = i.enrolled + batch.enrolled, failed = i.failed + batch.failed, warned = i.warned + batch.warned,
      without_timezone = i.without_timezone + batch."withoutTimezone", repeated_numbers = i.repeated_numbers + batch.repeated,
      countries = i.countries || (
        SELECT coalesce(jsonb_object_agg(q.key, q.value::integer + coalesce((i.countries ->> q.key)::integer, 0)), '{}')
        FROM jsonb_each_text(batch.countries) q),
      status = CASE WHEN $3 > i.rows THEN 'finished' ELSE i.status END,
      finished_at = CASE WHEN $3 > i.rows THEN date_trunc('milliseconds', outdial_now()) END,
      leased_until = CASE WHEN $3 <= i.rows THEN outdial_now() + ${LEASE} END
    FROM batch
    WHERE i.team_id = $2 AND i.id = $1
    RETURNING CASE WHEN i.next_row <= i.rows THEN set_config('synchronous_commit', 'off', true) END`,
};

/** Deletes a chunk whose rows are all processed. $1 import, $2 team, $3 first row of the chunk. */
export const DELETE_CHUNK: Statement = {
  name: 'delete_import_chunk',
  text: 'DELETE FROM import_chunks WHERE team_id = $2 AND import_id = $1 AND first_row = $3',
};
