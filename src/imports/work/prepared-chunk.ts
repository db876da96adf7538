import { setImmediate } from 'node:timers/promises';
import { type ReadRow } from '../../contacts/contact-batch.js';
import { type ChunkRow, type TakenImport } from '../sql/work.sql.js';
import { NO_ENDING } from '../ending.js';
import { rowChecker } from './row-checker.js';
import { type UploadedRow } from './row-reader.js';

/** The most rows that are checked in one iteration of the event loop. This takes less than a millisecond. */
export const ROWS_PER_ITERATION = 25;

/** A row that can be stored, or why not. */
export type PreparedRow = { row: UploadedRow; ending: number } & ReadRow;

/** The rows of a chunk, from the first row that is not processed. */
export interface PreparedChunk {
  /** The first row of the whole chunk. */
  firstRow: number;
  revision: string;
  /** The row of the import that `rows` begins with. */
  from: number;
  rows: PreparedRow[];
}

/**
 * Checks the rows of a chunk, from row `from` of the import on, a few in each iteration of the event loop.
 */
export async function prepareChunk(
  taken: TakenImport,
  chunk: ChunkRow,
  from: number,
): Promise<PreparedChunk> {
  const uploaded = JSON.parse(chunk.data) as UploadedRow[];
  const check = rowChecker(chunk.mapping, {
    teamId: taken.team_id,
    defaultCountry: taken.default_country,
    acceptUnknownRanges: taken.accept_unknown_ranges,
    campaignId: taken.campaign_id,
    versionId: taken.version_id,
    isStrict: chunk.strict,
  });
  const rows: PreparedRow[] = [];
  for (let at = from - chunk.first_row; at < uploaded.length; at += 1) {
    const row = uploaded[at] ?? null;
    rows.push({ row, ending: chunk.endings[at] ?? NO_ENDING, ...check(row) });
    if (rows.length % ROWS_PER_ITERATION === 0) await setImmediate();
  }
  return { firstRow: chunk.first_row, revision: chunk.revision, from, rows };
}
