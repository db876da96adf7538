import { type DigitRows } from './digit-rows.js';

/** Reads the numbers of one file of a register. */
export interface NumberReader {
  /**
   * Writes the numbers that end within these bytes. Rows have at most four times the length of their lines.
   * @throws UnreadableFile
   */
  read(bytes: Uint8Array, rows: DigitRows): void;
  /** Writes a number that ends with the file. @throws UnreadableFile if the file breaks off. */
  end(rows: DigitRows): void;
}

/** Bytes that a reader keeps of a line or a tag until its end arrives. */
export const MOST_KEPT = 512;

/**
 * A file is not in its layout. The message names the line, and never shows it: it may hold a number.
 */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `line ${line} ${message}`);
  }
}

/** The area codes of which numbers were read. */
export class SeenAreas {
  /** By area code: 1 if it was seen. */
  private readonly seen = new Uint8Array(1_000);
  /** Whether a file says that it has the numbers of all area codes. */
  isEvery = false;

  /** @param area of three digits as a number. */
  add(area: number): void {
    this.seen[area] = 1;
  }

  /** With the calling code 1, such as 1212; null: all area codes. */
  get areas(): number[] | null {
    if (this.isEvery) return null;
    return [...this.seen].flatMap((seen, area) => (seen === 1 ? [1_000 + area] : []));
  }
}

const ZERO = 0x30;
const NINE = 0x39;

export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZERO && byte <= NINE;

/** Whether all bytes from `start` to `end` are digits. */
export function areDigits(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!isDigit(bytes[at])) return false;
  return true;
}

/** The value of three digits. */
export function areaAt(bytes: Uint8Array, start: number): number {
  const digit = (at: number) => (bytes[at] ?? ZERO) - ZERO;
  return digit(start) * 100 + digit(start + 1) * 10 + digit(start + 2);
}
