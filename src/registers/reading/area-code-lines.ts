import { type DigitRows } from './digit-rows.js';
import { LineReader } from './line-reader.js';
import { areaAt, areDigits, type SeenAreas, UnreadableFile } from './number-reader.js';

const COMMA = 0x2c;
const ONE = 0x31;
/** `212,5550123` */
const AREA_DIGITS = 3;
const LENGTH = 11;

/** A full list of the United States or Canada as a flat text file: area code, comma, seven digits. */
export function areaCodeLines(areas: SeenAreas): LineReader {
  return new LineReader((bytes, start, end, rows, line) => {
    const comma = start + AREA_DIGITS;
    if (bytes[comma] !== COMMA || !areDigits(bytes, start, comma)) throw unreadable(line);
    if (end - start > LENGTH && bytes[start + LENGTH] === COMMA)
      throw new UnreadableFile('has more fields than a full list: a list of changes is not imported', line);
    if (end - start !== LENGTH || !areDigits(bytes, comma + 1, end)) throw unreadable(line);
    writeNumber(bytes, start, bytes, comma + 1, rows);
    areas.add(areaAt(bytes, start));
  });
}

/** A number of +1: three digits of its area code, and seven. */
export function writeNumber(
  area: Uint8Array,
  areaStart: number,
  rest: Uint8Array,
  restStart: number,
  rows: DigitRows,
): void {
  rows.digit(ONE);
  rows.digits(area, areaStart, areaStart + AREA_DIGITS);
  rows.digits(rest, restStart, restStart + LENGTH - AREA_DIGITS - 1);
  rows.endRow();
}

const unreadable = (line: number) =>
  new UnreadableFile('is not an area code, a comma and seven digits', line);
