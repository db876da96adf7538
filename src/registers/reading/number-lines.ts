import { readOptOutNumbers } from '../../domain/opt-out-numbers.js';
import { type DigitRows } from './digit-rows.js';
import { LineReader } from './line-reader.js';
import { areDigits, UnreadableFile } from './number-reader.js';

const PLUS = 0x2b;
const HASH = 0x23;
const ZERO = 0x30;
const LEAST_DIGITS = 7;
const MOST_DIGITS = 15;

/**
 * A number a line; a line that begins with `#` is a comment. A number with a plus and only digits is taken as it is. Any
 * other text is read as an addition to Do Not Call is: it stands for every number that it can mean.
 *
 * @param country of numbers in national form, ISO 3166; null: digits without `+` are read with one.
 */
export function numberLines(country: string | null): LineReader {
  return new LineReader((bytes, start, end, rows, line) => {
    if (bytes[start] === HASH) return;
    const digits = end - start - 1;
    const isE164 =
      bytes[start] === PLUS && bytes[start + 1] !== ZERO && digits >= LEAST_DIGITS && digits <= MOST_DIGITS;
    if (isE164 && areDigits(bytes, start + 1, end)) {
      rows.digits(bytes, start + 1, end);
      rows.endRow();
      return;
    }
    const read = readOptOutNumbers(Buffer.from(bytes.subarray(start, end)).toString(), country);
    if (!read.ok) throw new UnreadableFile('is not a phone number', line);
    for (const number of read.phoneNumbers) writeNumber(number, rows);
  });
}

function writeNumber(e164: string, rows: DigitRows): void {
  const digits = Buffer.from(e164.slice(1));
  rows.digits(digits, 0, digits.length);
  rows.endRow();
}
