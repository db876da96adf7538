import { setImmediate } from 'node:timers/promises';
import { type ConsentOfRow } from '../../consents/consent-rows.service.js';
import { type ContactColumn } from '../../domain/contact-columns.js';
import { faulty, problemOf } from '../../http/app-error.js';
import { NO_ENDING } from '../ending.js';
import { type ChunkRow } from '../sql/work.sql.js';
import { ROWS_PER_ITERATION } from './prepared-chunk.js';
import { ERASED } from './row-checker.js';
import { rowReader, type UploadedRow } from './row-reader.js';

/** A row with the consent that it is, or why it is none. */
export type ConsentRowOfFile = { row: UploadedRow; ending: number; read: ConsentOfRow };

/** The rows of a chunk, from the first row that is not processed. */
export interface ConsentChunk {
  /** The first row of the whole chunk. */
  firstRow: number;
  revision: string;
  /** The row of the import that `rows` begins with. */
  from: number;
  rows: ConsentRowOfFile[];
}

/** Reads the fields of a row as a consent. */
type FieldReader = (fields: Record<string, unknown>) => ConsentOfRow;

/**
 * Reads the rows of a file one by one, without the database.
 * @param columns of a CSV file; null for NDJSON.
 */
export function consentReader(
  columns: readonly ContactColumn[] | null,
  read: FieldReader,
): (row: UploadedRow) => ConsentOfRow {
  const fieldsOf = rowReader(columns);
  return (row) => {
    if (row === null) return faulty([problemOf(ERASED)]);
    const fields = fieldsOf(row);
    return fields.ok ? read(fields.value.body) : faulty([problemOf(fields.message)]);
  };
}

/** Reads the rows of a chunk, from row `from` of the import on, a few in each iteration of the event loop. */
export async function prepareConsents(
  chunk: ChunkRow,
  from: number,
  read: FieldReader,
): Promise<ConsentChunk> {
  const uploaded = JSON.parse(chunk.data) as UploadedRow[];
  const readRow = consentReader(chunk.mapping, read);
  const rows: ConsentRowOfFile[] = [];
  for (let at = from - chunk.first_row; at < uploaded.length; at += 1) {
    const row = uploaded[at] ?? null;
    rows.push({ row, ending: chunk.endings[at] ?? NO_ENDING, read: readRow(row) });
    if (rows.length % ROWS_PER_ITERATION === 0) await setImmediate();
  }
  return { firstRow: chunk.first_row, revision: chunk.revision, from, rows };
}
