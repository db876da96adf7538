import { type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import {
  asciiDigits,
  isCountryCode,
  isOfUnknownRange,
  MAX_PHONE_NUMBER_TEXT,
  plainText,
  readNumber,
  withPlus,
} from './phone-number.js';

/** The numbers that a text can stand for, in E.164, or why it holds none. */
export type OptOutNumbers = { ok: true; phoneNumbers: string[] } | { ok: false; message: string };

/** The longest text that is searched, in UTF-16 units: a row of a table. */
const MAX_TEXT = 1_000;

const E164 = /^\+[1-9]\d{6,14}$/;
const COLUMN_ENDS = /[,;\t|]/;
const QUOTES = /^["'\s]+|["'\s]+$/g;
// Eight digits of a date would be a number of some country.
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?:[T ][\d:.]+Z?)?$/;
const DECIMAL = /^([^.．]*)[.．][0０٠۰]+$/;
const EXPONENT = /^(\+?)(\d+)(?:[.,](\d+))?e\+?(\d{1,2})$/i;
// A spreadsheet drops zeros at the end, but not more than are likely in a number. More digits are lost.
const MOST_DROPPED_ZEROS = 2;
const EXTENSION = /(?:;?\s*ext|\bx|#|~|durchwahl|poste|anexo).*$/i;
const DIGITS_ONLY = /^[+\d\s().\-/]*$/;
/** `30 901820/21` adds a second line to the first number. */
const SECOND_LINE = /^(.*\d\s*)[/／]\s*(\d{1,3})$/;

/**
 * Every number for which a text may ask not to be called. What is in doubt is listed: a text that is two
 * numbers stands for both. Extensions, other columns, words around the number, and decimals of spreadsheets
 * are ignored. Numbers of any type and of unknown ranges are listed. `field` names the text in messages, which
 * do not repeat it. Does not throw.
 *
 * @param defaultCountry as of `parsePhoneNumber`. Without it, digits without `+` are read with a `+`.
 */
export function readOptOutNumbers(
  input: unknown,
  defaultCountry: string | null,
  field = 'phoneNumber',
): OptOutNumbers {
  const refuse = (predicate: string): OptOutNumbers => ({ ok: false, message: `${field} ${predicate}` });
  if (typeof input !== 'string') return refuse('must be a string');
  const text = plainText(input.slice(0, MAX_TEXT));
  if (text === '') return refuse('must not be empty');
  const country = defaultCountry !== null && isCountryCode(defaultCountry) ? defaultCountry : null;
  const columns = text
    .split(COLUMN_ENDS)
    .map((column) => column.replace(QUOTES, ''))
    .filter((column) => column !== '' && !DATE.test(column))
    .map((column) => column.slice(0, MAX_PHONE_NUMBER_TEXT));
  // A thousands separator splits a number.
  const joined =
    columns.length > 1 && columns.every((one) => DIGITS_ONLY.test(one)) ? [columns.join('')] : [];
  const readings = [...columns, ...joined].map((column) => readingsOf(column, country));
  // A row may begin with an id, which can have the length of a number.
  const found =
    readings.find((all) => all.some((number) => number.isValid())) ?? readings.find((all) => all.length > 0);
  if (found !== undefined) return { ok: true, phoneNumbers: [...new Set(found.map(({ number }) => number))] };
  return country === null && /\d/.test(text) && !text.includes('+')
    ? refuse('must be in international form, such as +14155552671: the team has no default country')
    : refuse('is not a phone number');
}

function readingsOf(column: string, country: CountryCode | null): PhoneNumber[] {
  const text = withoutDecimals(column);
  const second = SECOND_LINE.exec(text);
  if (second === null) return readingsOfOne(text, country);
  const [, first = '', end = ''] = second;
  const line = first.trimEnd();
  const both = [line, line.slice(0, -end.length) + end];
  const lines = both.flatMap((one) => readingsOfOne(one, country));
  return lines.length > 0 ? lines : readingsOfOne(text, country);
}

function readingsOfOne(text: string, country: CountryCode | null): PhoneNumber[] {
  const start = text.indexOf('+');
  if (start >= 0) return plausible(readNumber(text.slice(start), null, true));
  const national = country === null ? null : readNumber(text, country, true);
  const known = plausible(national);
  const bare = text.replace(EXTENSION, '');
  const digits = asciiDigits(bare);
  if (country !== null && known.some((number) => number.isValid())) {
    const other = withPlus(bare, country);
    return other === null ? known : [...known, other];
  }
  const foreign = plausible(readNumber(`+${digits.replace(/^00/, '')}`, null));
  return [...known, ...foreign.filter((number) => number.isValid())];
}

function plausible(number: PhoneNumber | null): PhoneNumber[] {
  if (number === null || !E164.test(number.number)) return [];
  return number.isValid() || isOfUnknownRange(number) ? [number] : [];
}

/** The digits of a number that a spreadsheet has written as a decimal. */
function withoutDecimals(text: string): string {
  const decimal = DECIMAL.exec(text);
  if (decimal !== null) return decimal[1] ?? '';
  const exponent = EXPONENT.exec(text);
  if (exponent === null) return text;
  const [, plus = '', whole = '', fraction = '', power = ''] = exponent;
  const dropped = Number(power) - fraction.length;
  return dropped < 0 || dropped > MOST_DROPPED_ZEROS
    ? ''
    : `${plus}${whole}${fraction}${'0'.repeat(dropped)}`;
}
