import { setImmediate } from 'node:timers/promises';
import { type ContactColumn } from '../../domain/contact-columns.js';
import { type OptOutNumbers, readOptOutNumbers } from '../../domain/opt-out-numbers.js';
import { parseJsonObject } from '../../http/json-body.js';
import { NO_ENDING } from '../ending.js';
import { type ChunkRow } from '../sql/work.sql.js';
import { ROWS_PER_ITERATION } from './prepared-chunk.js';
import { type UploadedRow } from './row-reader.js';

/** A row with the numbers that it stands for, or why there is none. */
export type SuppressionRow = { row: UploadedRow; ending: number } & OptOutNumbers;

/** The rows of a chunk, from the first row that is not processed. */
export interface SuppressionChunk {
  /** The first row of the whole chunk. */
  firstRow: number;
  revision: string;
  /** The row of the import that `rows` begins with. */
  from: number;
  rows: SuppressionRow[];
}

/** Reads the rows of a chunk, from row `from` of the import on, a few in each iteration of the event loop. */
export async function prepareSuppressions(
  chunk: ChunkRow,
  country: string | null,
  from: number,
): Promise<SuppressionChunk> {
  const uploaded = JSON.parse(chunk.data) as UploadedRow[];
  const rows: SuppressionRow[] = [];
  for (let at = from - chunk.first_row; at < uploaded.length; at += 1) {
    const row = uploaded[at] ?? null;
    rows.push({ row, ending: chunk.endings[at] ?? NO_ENDING, ...numbersOf(row, chunk.mapping, country) });
    if (rows.length % ROWS_PER_ITERATION === 0) await setImmediate();
  }
  return { firstRow: chunk.first_row, revision: chunk.revision, from, rows };
}

/** @param columns of a CSV file; null for NDJSON. */
export function numbersOf(
  row: UploadedRow,
  columns: readonly ContactColumn[] | null,
  country: string | null,
): OptOutNumbers {
  if (row === null) return { ok: false, message: 'The row was removed' };
  if (typeof row === 'string') {
    const parsed = parseJsonObject(Buffer.from(row));
    if (!parsed.ok) return { ok: false, message: parsed.message.replace(/^The body/, 'The row') };
    return readOptOutNumbers(parsed.value.phoneNumber, country);
  }
  const cells = Array.isArray(row) ? row : row.cells;
  if (!Array.isArray(row) || columns === null) {
    // What is in doubt is listed, if it is a number at all.
    const read = readOptOutNumbers(cells.join(','), country);
    return read.ok || Array.isArray(row) ? read : { ok: false, message: row.error };
  }
  if (columns.length === 1) return readOptOutNumbers(cells.join(','), country);
  if (cells.length !== columns.length)
    return {
      ok: false,
      message: `The row has ${cells.length} cells, and the header has ${columns.length}`,
    };
  return readOptOutNumbers(cells[columns.findIndex(({ field }) => field === 'phoneNumber')], country);
}
