import { type DigitRows } from './digit-rows.js';
import { MOST_KEPT, type NumberReader, UnreadableFile } from './number-reader.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Reads one line, from `start` to `end`, without spaces around it. `line` counts from 1. @throws UnreadableFile */
type ReadLine = (bytes: Uint8Array, start: number, end: number, rows: DigitRows, line: number) => void;

/** Splits a text file into lines, which end with LF or CR LF. Empty lines are passed over. */
export class LineReader implements NumberReader {
  private line = 0;
  /** The beginning of a line whose end has not arrived. */
  private kept: Uint8Array = new Uint8Array();

  constructor(private readonly readLine: ReadLine) {}

  read(bytes: Uint8Array, rows: DigitRows): void {
    let start = 0;
    if (this.kept.length > 0) {
      const end = bytes.indexOf(LINE_FEED);
      const first = Buffer.concat([this.kept, end === -1 ? bytes : bytes.subarray(0, end)]);
      if (end === -1) return this.keep(first);
      this.take(first, 0, first.length, rows);
      start = end + 1;
      this.kept = new Uint8Array();
    }
    for (let at = start; at < bytes.length; at += 1) {
      if (bytes[at] !== LINE_FEED) continue;
      this.take(bytes, start, at, rows);
      start = at + 1;
    }
    this.keep(bytes.slice(start));
  }

  end(rows: DigitRows): void {
    this.take(this.kept, 0, this.kept.length, rows);
    this.kept = new Uint8Array();
  }

  private keep(bytes: Uint8Array): void {
    if (bytes.length > MOST_KEPT) throw new UnreadableFile('is too long', this.line + 1);
    this.kept = bytes;
  }

  private take(bytes: Uint8Array, from: number, to: number, rows: DigitRows): void {
    this.line += 1;
    let [start, end] = [from, to];
    while (start < end && isBlank(bytes[start])) start += 1;
    while (end > start && isBlank(bytes[end - 1])) end -= 1;
    if (end - start > MOST_KEPT) throw new UnreadableFile('is too long', this.line);
    if (start < end) this.readLine(bytes, start, end, rows, this.line);
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === CARRIAGE_RETURN || byte === TAB;
}
