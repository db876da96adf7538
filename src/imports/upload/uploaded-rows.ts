import { guessConsentColumns, mapConsentColumns } from '../../domain/consent-columns.js';
import {
  type ColumnOverride,
  type ContactColumn,
  guessColumns,
  mapColumns,
  type MappedColumns,
} from '../../domain/contact-columns.js';
import {
  guessSuppressionColumns,
  isRowOfNumber,
  mapSuppressionColumns,
  ONLY_NUMBERS,
} from '../../domain/suppression-columns.js';
import { isBlank, trimmed } from '../../domain/trimmed.js';
import { AppError, invalid } from '../../http/app-error.js';
import { CsvParser, type CsvRecord, UnreadableRecordError } from './csv-parser.js';
import { EncodingFaultError } from './encoding.js';
import { endingOf } from '../ending.js';
import { type ImportType } from '../import.entity.js';
import { MAX_COLUMNS, MAX_ROW_BYTES } from '../limits.js';
import { type UploadedRow as RowValue } from '../work/row-reader.js';
import { beginningOf, type Beginning } from './separator.js';

/** A row as it waits for the worker. */
export interface UploadedRow {
  /** Cells, a line of NDJSON, or what could not be read. It waits as JSON. */
  value: NonNullable<RowValue>;
  /** See {@link endingOf}. */
  ending: number;
}

/** The rows of an upload. `columns` is set before the first row is returned. */
export interface RowReader {
  /** The columns of a CSV file; null for NDJSON. */
  readonly columns: ContactColumn[] | null;
  rows(): AsyncGenerator<UploadedRow>;
}

/**
 * The rows of a file, of which there is at least one.
 * @throws AppError `PAYLOAD_TOO_LARGE` at the row after the last one allowed, `INVALID_REQUEST` without rows.
 */
export async function* rowsWithin(reader: RowReader, most: number): AsyncGenerator<UploadedRow> {
  let count = 0;
  for await (const row of reader.rows()) {
    if (count === most) throw new AppError('PAYLOAD_TOO_LARGE', `An import must have at most ${most} rows`);
    count += 1;
    yield row;
  }
  if (count === 0) throw invalid('The body has no rows');
}

const NEW_LINE = 0x0a;
const FORBIDDEN_COLUMN = '__proto__';
const NUL = '\0';
const NOT_CSV = 'is not valid CSV: its quotation marks do not match';
const TOO_LARGE = `is larger than ${MAX_ROW_BYTES / 1024} KB`;
/** The fewest digits of what is taken for a phone number in a row that could not be read. */
const LEAST_DIGITS = 7;

const rowTooLarge = (row: number) => new AppError('PAYLOAD_TOO_LARGE', `Row ${row} ${TOO_LARGE}`);

/**
 * A CSV file with a header (RFC 4180): quotation marks, any line ends, and columns separated by commas,
 * semicolons, tabs or vertical bars. Empty lines, and rows of empty cells, are no rows.
 */
export class CsvReader implements RowReader {
  columns: ContactColumn[] | null = null;
  private count = 0;
  private numberAt = 0;
  private parser: CsvParser | null = null;
  private separator = ',';

  /**
   * @param pieces of text, see `textOf`. @param isGuessed whether no column has to be there, because a person chooses
   *   before the import starts.
   */
  constructor(
    private readonly pieces: AsyncIterable<Buffer>,
    private readonly overrides: readonly ColumnOverride[],
    private readonly type: ImportType = 'contacts',
    private readonly isGuessed = false,
  ) {}

  async *rows(): AsyncGenerator<UploadedRow> {
    try {
      for await (const piece of this.records()) {
        for (const record of piece) {
          const row = this.rowOf(record);
          if (row !== null) yield row;
        }
      }
    } catch (error) {
      if (error instanceof EncodingFaultError) throw invalid(`${this.place()} ${error.predicate}`);
      if (!(error instanceof UnreadableRecordError)) throw error;
      if (!error.isTooLarge) throw invalid(`${this.place()} ${NOT_CSV}`);
      throw new AppError('PAYLOAD_TOO_LARGE', `${this.place()} ${TOO_LARGE}`);
    }
  }

  /** The records of the file, the header first, in groups that end where a piece ends. */
  private async *records(): AsyncGenerator<CsvRecord[]> {
    let head = Buffer.alloc(0);
    try {
      for await (const piece of this.pieces) {
        if (this.parser !== null) {
          yield await this.parser.write(piece);
          continue;
        }
        head = Buffer.concat([head, piece]);
        const beginning = this.beginning(head, false);
        if (beginning !== null) yield await this.begin(beginning, head);
        else if (head.length > MAX_ROW_BYTES) throw new UnreadableRecordError(true);
      }
    } catch (error) {
      if (error instanceof EncodingFaultError && this.parser !== null) yield await this.parser.settle();
      throw error;
    }
    const beginning = this.parser === null ? this.beginning(head, true) : null;
    if (beginning !== null) yield await this.begin(beginning, head);
    if (this.parser !== null) yield await this.parser.end();
  }

  private beginning(head: Buffer, isWhole: boolean): Beginning | null {
    const named = this.overrides.flatMap(({ header, target }) => (target === 'phoneNumber' ? [header] : []));
    return beginningOf(head.toString('utf8'), named, isWhole);
  }

  private begin({ separator, skipped }: Beginning, head: Buffer): Promise<CsvRecord[]> {
    this.separator = separator;
    this.parser = new CsvParser(separator);
    const bytes = Buffer.byteLength(head.toString('utf8').slice(0, skipped));
    return this.parser.write(head.subarray(bytes));
  }

  private rowOf({ cells, isWellFormed }: CsvRecord): UploadedRow | null {
    if (this.columns === null) {
      if (!isWellFormed) throw invalid(`The header ${NOT_CSV}`);
      const hasHeader = this.type !== 'suppressions' || !isRowOfNumber(cells);
      this.columns = hasHeader ? readHeader(cells, (names) => this.map(names)) : [...ONLY_NUMBERS];
      this.numberAt = this.columns.findIndex(({ field }) => field === 'phoneNumber');
      if (hasHeader) return null;
    }
    this.count += 1;
    if (isWellFormed) {
      const row = asWide(cells, this.columns.length);
      return { value: row, ending: endingOfRow(row, this.numberAt) };
    }
    const error = `The row ${NOT_CSV}`;
    const ending = endingOf(likelyNumber(cells, this.numberAt));
    return { value: { error, cells }, ending };
  }

  private map(names: readonly string[]): MappedColumns {
    if (this.isGuessed) return { ok: true, columns: GUESSES[this.type](names) };
    return MAPS[this.type](names, this.overrides);
  }

  /** Where the reader is: the header, or the row that is not complete yet. */
  private place(): string {
    return this.columns === null ? 'The header' : `Row ${this.count + 1}`;
  }
}

/** The cells of a row without what is empty behind the last column, and with what is missing before it. */
function asWide(cells: string[], width: number): string[] {
  let end = cells.length;
  while (end > width && isBlank(cells[end - 1] ?? '')) end -= 1;
  if (end === width) return cells.length === width ? cells : cells.slice(0, width);
  return end > width ? cells.slice(0, end) : [...cells, ...Array<string>(width - end).fill('')];
}

/** @param numberAt the column of the phone number; -1: it is not chosen yet. */
export function endingOfRow(cells: readonly string[], numberAt: number): number {
  return endingOf(numberAt === -1 ? likelyNumber(cells, numberAt) : cells[numberAt]);
}

/** The cell at `numberAt`, or another one if that has too few digits. */
function likelyNumber(cells: readonly string[], numberAt: number): string | undefined {
  const hasDigits = (cell = '') => cell.replace(/\P{Nd}/gu, '').length >= LEAST_DIGITS;
  return hasDigits(cells[numberAt]) ? cells[numberAt] : cells.find(hasDigits);
}

/** Reads a header, by what the rows are. */
export const MAPS: Record<
  ImportType,
  (headers: readonly string[], overrides: readonly ColumnOverride[]) => MappedColumns
> = { contacts: mapColumns, suppressions: mapSuppressionColumns, consents: mapConsentColumns };

const GUESSES: Record<ImportType, (headers: readonly string[]) => ContactColumn[]> = {
  contacts: guessColumns,
  suppressions: guessSuppressionColumns,
  consents: guessConsentColumns,
};

function readHeader(
  record: readonly string[],
  map: (names: readonly string[]) => MappedColumns,
): ContactColumn[] {
  const names = record.map(trimmed);
  while (names.at(-1) === '') names.pop();
  if (names.length > MAX_COLUMNS) throw invalid(`The header must have at most ${MAX_COLUMNS} columns`);
  const withNul = names.findIndex((name) => name.includes(NUL));
  if (withNul !== -1) {
    throw invalid(
      `Column ${withNul + 1} of the header contains a NUL character; if the file is in UTF-16, it must begin with a byte order mark`,
    );
  }
  const unnamed = names.indexOf('');
  if (unnamed !== -1) throw invalid(`Column ${unnamed + 1} of the header has no name`);
  if (names.includes(FORBIDDEN_COLUMN)) throw invalid(`A column is named ${FORBIDDEN_COLUMN}`);
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (twice !== -1) throw invalid(`Column ${twice + 1} of the header has the name of another one`);
  const mapped = map(names);
  if (!mapped.ok) throw invalid(mapped.message);
  return mapped.columns;
}

/**
 * A JSON object on each line. The worker checks the lines, so a malformed line is an error of its row, not of
 * the file. Empty lines are no rows.
 */
export class NdjsonReader implements RowReader {
  readonly columns = null;
  private count = 0;

  /** @param pieces of text, see `textOf`. */
  constructor(private readonly pieces: AsyncIterable<Buffer>) {}

  async *rows(): AsyncGenerator<UploadedRow> {
    try {
      yield* this.lines();
    } catch (error) {
      if (!(error instanceof EncodingFaultError)) throw error;
      throw invalid(`Row ${this.count + 1} ${error.predicate}`);
    }
  }

  private async *lines(): AsyncGenerator<UploadedRow> {
    let parts: Buffer[] = [];
    let length = 0;
    for await (const piece of this.pieces) {
      let from = 0;
      for (let end = piece.indexOf(NEW_LINE); end !== -1; end = piece.indexOf(NEW_LINE, from)) {
        parts.push(piece.subarray(from, end));
        length += end - from;
        yield* this.rowOf(parts, length);
        [parts, length, from] = [[], 0, end + 1];
      }
      parts.push(piece.subarray(from));
      length += piece.length - from;
      if (length > MAX_ROW_BYTES) throw rowTooLarge(this.count + 1);
    }
    yield* this.rowOf(parts, length);
  }

  private *rowOf(parts: readonly Buffer[], length: number): Generator<UploadedRow> {
    if (length > MAX_ROW_BYTES) throw rowTooLarge(this.count + 1);
    const line = Buffer.concat(parts).toString('utf8').trim();
    if (line === '') return;
    this.count += 1;
    yield { value: line, ending: endingOf(numberIn(line)) };
  }
}

function numberIn(line: string): unknown {
  try {
    const body: unknown = JSON.parse(line);
    return typeof body === 'object' && body !== null && 'phoneNumber' in body ? body.phoneNumber : undefined;
  } catch {
    return undefined;
  }
}
