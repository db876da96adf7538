import { setImmediate } from 'node:timers/promises';
import { type BatchedContact, readBatched } from '../../contacts/contact-batch.js';
import { parseJsonObject } from '../../http/json-body.js';
import { type ChunkRow, type TakenImport } from '../sql/work.sql.js';

/** The most rows that are checked in one iteration of the event loop. This takes less than a millisecond. */
const ROWS_PER_ITERATION = 25;

/** The most JSON values in a row, as in a body of the contract. */
const MAX_VALUES = 10_000;

const EMPTY = '';
const ERASED = 'The row was removed, because a contact with its number was erased';

/** A row that can be stored, or why not. */
export type PreparedRow = { ok: true; contact: BatchedContact } | { ok: false; message: string };

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
  const raw = JSON.parse(chunk.data) as unknown[];
  const rows: PreparedRow[] = [];
  for (const one of raw.slice(from - chunk.first_row)) {
    rows.push(prepareRow(taken, one));
    if (rows.length % ROWS_PER_ITERATION === 0) await setImmediate();
  }
  return { firstRow: chunk.first_row, revision: chunk.revision, from, rows };
}

function prepareRow(taken: TakenImport, raw: unknown): PreparedRow {
  if (raw === null) return { ok: false, message: ERASED };
  const body =
    taken.columns === null ? bodyOfLine(raw as string) : bodyOfCells(taken.columns, raw as string[]);
  if (!body.ok) return body;
  const { team_id: teamId, default_country: country, campaign_id: campaignId, version_id: versionId } = taken;
  const read = readBatched(
    body.value,
    teamId,
    country,
    { campaignId, versionId },
    taken.accept_unknown_ranges,
  );
  return read.ok ? { ok: true, contact: read.value } : read;
}

type Body = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

function bodyOfLine(line: string): Body {
  const parsed = parseJsonObject(Buffer.from(line), { maxValues: MAX_VALUES });
  return parsed.ok ? parsed : { ok: false, message: parsed.message.replace(/^The body/, 'The row') };
}

/** Makes a body of the cells of a row. An empty cell counts as not sent. */
function bodyOfCells(columns: readonly string[], cells: readonly string[]): Body {
  if (cells.length !== columns.length) {
    return { ok: false, message: `The row has ${cells.length} cells, and the header has ${columns.length}` };
  }
  // The header has no column `__proto__`.
  const value: Record<string, unknown> = {};
  columns.forEach((name, at) => {
    if (cells[at] !== EMPTY) value[name] = cells[at];
  });
  return { ok: true, value };
}
