import { CsvError, type InfoRecord, type Parser, parse } from 'csv-parse';
import { isBlank } from '../../domain/trimmed.js';
import { MAX_ROW_BYTES } from '../limits.js';
import { cellsOfRecord } from './separator.js';

/** A record of a file. If its quotation marks do not match, `cells` are a guess. */
export interface CsvRecord {
  cells: string[];
  isWellFormed: boolean;
}

/** A record without an end, or a too large one. No further record can be read. */
export class UnreadableRecordError extends Error {
  override name = 'UnreadableRecordError';
  constructor(readonly isTooLarge: boolean) {
    super(isTooLarge ? 'The record is too large' : 'The record does not end');
  }
}

const QUOTE = '"';
/** More bytes than the parser reads ahead. */
const READ_AHEAD = 4;
const LINE_ENDS = /\r\n|\r|\n/;
const AROUND = /^[\r\n]+|(?:\r\n|\r|\n)$/g;

/**
 * Reads records piece by piece, and returns after each piece all records that end in it. Thus a fault of a
 * later piece is one of the next record. Records of blank cells are left out.
 *
 * A record whose quotation marks do not match may have swallowed the beginning of the next ones. Therefore
 * each of its lines becomes a record, which is well-formed if it has as many cells as the first record.
 */
export class CsvParser {
  private records: CsvRecord[] = [];
  private fault: UnreadableRecordError | null = null;
  private readonly parser: Parser;
  /** The bytes since the end of the last record, and what the parser counts as their first byte. */
  private kept: Buffer[] = [];
  private keptFrom = 0;
  private width: number | null = null;

  constructor(private readonly separator: string) {
    this.parser = parse({
      delimiter: separator,
      max_record_size: MAX_ROW_BYTES,
      on_record: (cells: string[], { bytes }: InfoRecord) => {
        if (cells.some((cell) => cell.includes(QUOTE))) this.addQuoted(cells, bytes);
        else this.add(cells, true);
        this.forget(bytes);
        return null;
      },
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // The parser goes on behind a misplaced quotation mark. `addQuoted` finds the record.
      relax_quotes: true,
      skip_empty_lines: true,
    });
    // Each error is also passed to the callback of the call that caused it.
    this.parser.on('error', () => undefined);
  }

  /** @throws UnreadableRecordError once all records before it were returned. */
  async write(piece: Buffer): Promise<CsvRecord[]> {
    this.kept.push(piece);
    return this.taken((done) => this.parser.write(piece, done));
  }

  /** The last records. @throws UnreadableRecordError as {@link write}. */
  async end(): Promise<CsvRecord[]> {
    return this.taken((done) => this.parser.end(done));
  }

  /**
   * The records that end with the last byte that was written. The parser reads a few bytes ahead. Nothing can
   * be written afterwards.
   */
  async settle(): Promise<CsvRecord[]> {
    const last = this.kept.at(-1)?.at(-1);
    const isLineEnd = last === 0x0a || last === 0x0d;
    return this.write(Buffer.from((isLineEnd ? '\n' : ' ').repeat(READ_AHEAD)));
  }

  private async taken(work: (done: (error?: Error | null) => void) => void): Promise<CsvRecord[]> {
    if (this.fault === null) await this.worked(work);
    if (this.fault !== null && this.records.length === 0) throw this.fault;
    const { records } = this;
    this.records = [];
    return records;
  }

  private async worked(work: (done: (error?: Error | null) => void) => void): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => work((error) => (error ? reject(error) : resolve())));
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      this.fault = new UnreadableRecordError(error.code === 'CSV_MAX_RECORD_SIZE');
    }
  }

  private add(cells: string[], isWellFormed: boolean): void {
    if (cells.every(isBlank)) return;
    this.width ??= cells.length;
    this.records.push({ cells, isWellFormed });
  }

  /** Adds a record with quotation marks in its cells: they were escaped, or are misplaced. */
  private addQuoted(cells: string[], end: number): void {
    const record = Buffer.concat(this.kept)
      .subarray(0, end - this.keptFrom)
      .toString('utf8')
      .replace(AROUND, '');
    if (cellsOfRecord(record, this.separator) !== null) {
      this.add(cells, true);
      return;
    }
    const lines = record.split(LINE_ENDS);
    for (const line of lines) {
      const ofLine = cellsOfRecord(line, this.separator);
      if (ofLine !== null && lines.length > 1 && ofLine.length === this.width) this.add(ofLine, true);
      else this.add(line.split(this.separator), false);
    }
  }

  private forget(end: number): void {
    let rest = end - this.keptFrom;
    this.keptFrom = end;
    while (rest > 0) {
      const [first] = this.kept;
      if (first === undefined) return;
      this.kept.shift();
      if (first.length > rest) this.kept.unshift(first.subarray(rest));
      rest -= first.length;
    }
  }
}
