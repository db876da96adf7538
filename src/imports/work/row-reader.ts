import { type BatchedRow } from '../../contacts/contact-batch.js';
import { type ContactColumn, hasGuards, ID_COLUMN, PROPERTIES_COLUMN } from '../../domain/contact-columns.js';
import { isBlank, trimmed } from '../../domain/trimmed.js';
import { withoutGuard } from '../../http/csv.js';
import { MAX_NESTING, parseJsonObject } from '../../http/json-body.js';
import { type FailedRow } from '../row-result.js';

/** A row as it waits: its cells, its line of NDJSON, what could not be read, or null if it was erased. */
export type UploadedRow = string[] | string | { error: string; cells: string[] } | null;

/** The row as the file of failed rows has it. */
export function failedRowOf(row: UploadedRow): FailedRow {
  return row === null || typeof row === 'string' || Array.isArray(row) ? row : row.cells;
}

type Read = { ok: true; value: BatchedRow } | { ok: false; message: string };
type Properties = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

const EMPTY = '';
const NUL = '\0';
/**
 * The most JSON values in a row. More custom properties, each of a digit, exceed the size that a contact may
 * have.
 */
const MAX_VALUES = 40_000;
const PROPERTIES_KEY: string = PROPERTIES_COLUMN;

/** @param columns of a CSV file; null for NDJSON. */
export function rowReader(columns: readonly ContactColumn[] | null): (row: NonNullable<UploadedRow>) => Read {
  const ofCells = columns === null ? null : cellReader(columns);
  return (row) => {
    if (typeof row === 'string') return readLine(row);
    if (!Array.isArray(row)) return { ok: false, message: row.error };
    return ofCells === null ? { ok: false, message: 'The row has no header' } : ofCells(row);
  };
}

/**
 * A line of NDJSON is a body of the contract, or a contact as an export has it, whose custom properties are an
 * object of their own.
 */
function readLine(line: string): Read {
  // In an export, the properties are nested one level deeper than in the body that stored them.
  const parsed = parseJsonObject(Buffer.from(line), { maxValues: MAX_VALUES, maxNesting: MAX_NESTING + 1 });
  if (!parsed.ok) return { ok: false, message: parsed.message.replace(/^The body/, 'The row') };
  const properties = parsed.value[PROPERTIES_COLUMN];
  if (!isObject(properties)) return { ok: true, value: { body: parsed.value, properties: {} } };
  const kept = Object.entries(parsed.value).filter(([key]) => key !== PROPERTIES_KEY && key !== ID_COLUMN);
  return { ok: true, value: { body: Object.fromEntries(kept), properties } };
}

/** Makes a body of the cells of a row. An empty cell counts as not sent. */
function cellReader(columns: readonly ContactColumn[]): (cells: readonly string[]) => Read {
  const first = columns.findIndex(({ part }) => part === 'first');
  const last = columns.findIndex(({ part }) => part === 'last');
  const isGuarded = hasGuards(columns);
  return (given) => {
    const cells = isGuarded ? given.map(withoutGuard) : given;
    if (cells.length !== columns.length) {
      return {
        ok: false,
        message: `The row has ${cells.length} cells, and the header has ${columns.length}`,
      };
    }
    const withNul = cells.findIndex((cell) => cell.includes(NUL));
    if (withNul !== -1) return { ok: false, message: `Cell ${withNul + 1} contains a NUL character` };
    // The header has no column `__proto__`.
    const body: Record<string, unknown> = {};
    const named: Record<string, unknown> = {};
    let properties: Record<string, unknown> = {};
    for (const [at, { field, customProperty, part }] of columns.entries()) {
      const cell = cells[at] ?? EMPTY;
      if (cell === EMPTY) continue;
      if (customProperty !== null) named[customProperty] = cell;
      if (field === null || part !== null) continue;
      if (field !== PROPERTIES_COLUMN) body[field] = cell;
      else if (!isBlank(cell)) {
        const read = readProperties(cell);
        if (!read.ok) return read;
        properties = read.value;
      }
    }
    const name = trimmed([first, last].map((at) => trimmed(cells[at] ?? EMPTY)).join(' '));
    if (name !== EMPTY) body.name = name;
    return { ok: true, value: { body, properties: { ...properties, ...named } } };
  };
}

function readProperties(cell: string): Properties {
  const read = parseJsonObject(Buffer.from(cell), { maxValues: MAX_VALUES });
  return read.ok
    ? read
    : { ok: false, message: read.message.replace(/^The body/, `The cell ${PROPERTIES_COLUMN}`) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
