import { LineReader } from './line-reader.js';
import { isDigit, UnreadableFile } from './number-reader.js';

const ZERO = 0x30;
const FOUR = 0x34;
const SPACE = 0x20;
/** With the leading zero. */
const LEAST_DIGITS = 10;
const MOST_DIGITS = 11;

/** A full download of the (Corporate) Telephone Preference Service: numbers in national form, with spaces or without. */
export function tpsLines(): LineReader {
  return new LineReader((bytes, start, end, rows, line) => {
    let digits = 0;
    for (let at = start; at < end; at += 1) {
      if (isDigit(bytes[at])) digits += 1;
      else if (bytes[at] !== SPACE) throw unreadable(line);
    }
    if (bytes[start] !== ZERO || digits < LEAST_DIGITS || digits > MOST_DIGITS) throw unreadable(line);
    rows.digit(FOUR);
    rows.digit(FOUR);
    for (let at = start + 1; at < end; at += 1) {
      const byte = bytes[at] ?? SPACE;
      if (byte !== SPACE) rows.digit(byte);
    }
    rows.endRow();
  });
}

const unreadable = (line: number) =>
  new UnreadableFile('is not a British number of ten or eleven digits that begins with 0', line);
