import {
  type ColumnOverride,
  type ContactColumn,
  type MappedColumns,
  mayBeNumber,
} from './contact-columns.js';
import { trimmed } from './trimmed.js';

const NUMBER = 'phoneNumber';
/** The fewest digits of a first line that is a phone number, and no header. */
const LEAST_DIGITS = 7;

/** The columns of a file of one column that has no header. */
export const ONLY_NUMBERS: readonly ContactColumn[] = [
  { header: NUMBER, field: NUMBER, customProperty: null, part: null },
];

/** Whether the first record of a file is a row: it has one cell, which is a phone number. */
export function isRowOfNumber(cells: readonly string[]): boolean {
  const [cell = '', ...others] = cells;
  return others.every((one) => trimmed(one) === '') && cell.replace(/\P{Nd}/gu, '').length >= LEAST_DIGITS;
}

/**
 * What the columns seem to be, for a person who then chooses: of several columns that may be the phone number, none.
 *
 * @param headers trimmed, and different from each other.
 */
export function guessSuppressionColumns(headers: readonly string[]): ContactColumn[] {
  const read = mapSuppressionColumns(headers, []);
  return read.ok ? read.columns : columnsOf(headers, null);
}

/**
 * The columns of a file with phone numbers that are not to be called: the column that is named `phoneNumber`, the
 * only one with another usual name, or the only one. All others are ignored.
 *
 * @param headers trimmed, and different from each other.
 * @param overrides of which `phoneNumber` has precedence.
 */
export function mapSuppressionColumns(
  headers: readonly string[],
  overrides: readonly ColumnOverride[],
): MappedColumns {
  const missing = overrides.find(({ header }) => !headers.includes(trimmed(header)));
  if (missing !== undefined)
    return { ok: false, message: `The header has no column "${missing.header}", which map names` };
  const chosen = overrides.filter(({ target }) => target === NUMBER).map(({ header }) => trimmed(header));
  const ignored = new Set(overrides.map(({ header }) => trimmed(header)));
  const usual = headers.filter((header) => !ignored.has(header) && mayBeNumber(header));
  const found = chosen.length > 0 ? chosen : headers.includes(NUMBER) ? [NUMBER] : usual;
  const [number, another] = found.length === 0 && headers.length === 1 ? headers : found;
  if (number === undefined)
    return {
      ok: false,
      message:
        'The header must have the column phoneNumber, or one that is named Phone, Mobile or similar, or only one column',
    };
  if (another !== undefined)
    return {
      ok: false,
      message: `The columns "${number}" and "${another}" may both be phoneNumber; choose one, for example with map=${number}:phoneNumber`,
    };
  return { ok: true, columns: columnsOf(headers, number) };
}

/** @param number the header of the phone number; null: of no column. */
function columnsOf(headers: readonly string[], number: string | null): ContactColumn[] {
  return headers.map((header) => ({
    header,
    field: header === number ? NUMBER : null,
    customProperty: null,
    part: null,
  }));
}
