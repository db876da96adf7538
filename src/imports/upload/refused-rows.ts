import { type UploadedRow } from '../work/row-reader.js';

/** The most rows with an error that a first look shows. */
export const MAX_BAD_ROWS = 100;
/** The most different errors that are counted one by one. */
export const MAX_REASONS = 100;
/** The key of the errors beyond {@link MAX_REASONS}. */
const OTHER_REASONS = 'other';

/** The longest cell or line of a bad row that is shown, in UTF-16 units. */
export const MAX_SHOWN = 200;
/** The most text of bad rows that is shown, in UTF-16 units. Further bad rows have their errors only. */
const MAX_SHOWN_IN_ALL = 256 * 1024;

const HALF_OF_PAIR = /[\uD800-\uDBFF]$/;

/** A row with an error, and what it has in the file, of which long text is cut. */
export interface BadRow {
  row: number;
  error: string;
  /** Of a CSV file. */
  cells?: string[];
  /** Of a file in NDJSON. */
  line?: string;
}

/** Counts the rows of a file with an error, and keeps the first ones. */
export class RefusedRows {
  private failed = 0;
  private readonly failures = new Map<string, number>();
  private readonly badRows: BadRow[] = [];
  private shown = 0;

  /** @param number of the row in the file, from 1. */
  add(number: number, row: UploadedRow, error: string): void {
    this.failed += 1;
    const isCounted = this.failures.has(error) || this.failures.size < MAX_REASONS;
    increment(this.failures, isCounted ? error : OTHER_REASONS);
    if (this.badRows.length === MAX_BAD_ROWS) return;
    const given = this.shown < MAX_SHOWN_IN_ALL ? givenOf(row) : {};
    this.shown += (given.line ?? given.cells?.join('') ?? '').length;
    this.badRows.push({ row: number, error, ...given });
  }

  view(): { failed: number; failures: Record<string, number>; badRows: BadRow[] } {
    return { failed: this.failed, failures: Object.fromEntries(this.failures), badRows: this.badRows };
  }
}

/** The text of a row as it was in the file. */
function givenOf(row: UploadedRow): Pick<BadRow, 'cells' | 'line'> {
  if (row === null) return {};
  if (typeof row === 'string') return { line: shortened(row) };
  return { cells: (Array.isArray(row) ? row : row.cells).map(shortened) };
}

function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).replace(HALF_OF_PAIR, '')}…`;
}

export function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
