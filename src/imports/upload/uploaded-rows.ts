import { CsvError, parse } from 'csv-parse';
import { Readable, pipeline } from 'node:stream';
import { AppError, invalid } from '../../http/app-error.js';
import { endingOf } from './ending.js';
import { MAX_COLUMNS, MAX_ROW_BYTES } from './limits.js';

/** A row as it waits for the worker. */
export interface UploadedRow {
  /** JSON: the cells of a CSV row, or the line of NDJSON as a text. */
  json: string;
  /** See {@link endingOf}. */
  ending: number;
}

/** The rows of an upload. `columns` is set before the first row is returned. */
export interface RowReader {
  /** The header of a CSV file; null for NDJSON. */
  readonly columns: string[] | null;
  rows(): AsyncGenerator<UploadedRow>;
}

const NEW_LINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';
const NUMBER_COLUMN = 'phoneNumber';
const FORBIDDEN_COLUMN = '__proto__';

const rowTooLarge = (row: number) =>
  new AppError('PAYLOAD_TOO_LARGE', `Row ${row} is larger than ${MAX_ROW_BYTES / 1024} KB`);

/** A CSV file with a header (RFC 4180): commas, quotation marks, any line ends. Empty lines are no rows. */
export class CsvReader implements RowReader {
  columns: string[] | null = null;
  private count = 0;

  constructor(private readonly pieces: AsyncIterable<Buffer>) {}

  async *rows(): AsyncGenerator<UploadedRow> {
    const parser = parse({
      bom: true,
      max_record_size: MAX_ROW_BYTES,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
    pipeline(Readable.from(this.pieces, { highWaterMark: 1 }), parser, () => undefined);
    let numberAt = 0;
    try {
      for await (const record of parser as AsyncIterable<string[]>) {
        if (this.columns === null) {
          this.columns = readHeader(record);
          numberAt = this.columns.indexOf(NUMBER_COLUMN);
          continue;
        }
        this.count += 1;
        yield { json: JSON.stringify(record), ending: endingOf(record[numberAt]) };
      }
    } catch (error) {
      throw error instanceof CsvError ? this.refusalOf(error) : error;
    }
  }

  private refusalOf({ code }: CsvError): AppError {
    if (code === 'CSV_MAX_RECORD_SIZE') {
      return this.columns === null
        ? new AppError('PAYLOAD_TOO_LARGE', `The header is larger than ${MAX_ROW_BYTES / 1024} KB`)
        : rowTooLarge(this.count + 1);
    }
    const where = this.columns === null ? 'The header' : `Row ${this.count + 1}`;
    return invalid(`${where} is not valid CSV: its quotation marks do not match`);
  }
}

function readHeader(record: readonly string[]): string[] {
  if (record.length > MAX_COLUMNS) throw invalid(`The header must have at most ${MAX_COLUMNS} columns`);
  const columns = record.map((name) => name.trim());
  const unnamed = columns.indexOf('');
  if (unnamed !== -1) throw invalid(`Column ${unnamed + 1} of the header has no name`);
  if (columns.includes(FORBIDDEN_COLUMN)) throw invalid(`A column is named ${FORBIDDEN_COLUMN}`);
  const twice = columns.findIndex((name, at) => columns.indexOf(name) !== at);
  if (twice !== -1) throw invalid(`Column ${twice + 1} of the header has the name of another one`);
  if (!columns.includes(NUMBER_COLUMN)) {
    const separated = columns.length === 1 && /[;\t]/.test(columns[0] ?? '');
    throw invalid(
      `The header must have the column ${NUMBER_COLUMN}${separated ? '; columns are separated by commas' : ''}`,
    );
  }
  return columns;
}

/**
 * A JSON object on each line. The worker checks the lines, so a malformed line is an error of its row, not of
 * the file. Empty lines are no rows.
 */
export class NdjsonReader implements RowReader {
  readonly columns = null;
  private count = 0;

  constructor(private readonly pieces: AsyncIterable<Buffer>) {}

  async *rows(): AsyncGenerator<UploadedRow> {
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
    const text = Buffer.concat(parts).toString('utf8');
    const line = (this.count === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).trim();
    if (line === '') return;
    this.count += 1;
    yield { json: JSON.stringify(line), ending: endingOf(numberIn(line)) };
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
