/** What a formula begins with. Spreadsheets also read full-width signs as one. */
const SIGN = '[=+\\-@＝＋－＠]';
/**
 * Where a spreadsheet could see the beginning of a formula: at the beginning of a text, and behind a semicolon
 * or tab, if it takes that for a separator. Apostrophes in between count, so that a guard can be removed again.
 */
const BEGINNINGS = `^(?='*(?:${SIGN}|[\\t\\r\\n]))|(?<=[;\\t])(?='*${SIGN})`;
const UNGUARDED = new RegExp(BEGINNINGS, 'g');
const GUARDED = new RegExp(BEGINNINGS.replaceAll("(?='*", "'(?='*"), 'g');
/** A number can begin like a formula, but is none. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** By the byte order mark, a spreadsheet knows that the file is in UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A line of a CSV file (RFC 4180), with its line end. Null is an empty cell; objects and lists are JSON. An
 * apostrophe is put before what a spreadsheet would run as a formula. Numbers, such as phone numbers, get no
 * apostrophe.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = NUMBER.test(text) ? text : text.replace(UNGUARDED, "'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of which {@link csvLine} made a cell, without its apostrophes. */
export function withoutGuard(cell: string): string {
  return cell.includes("'") ? cell.replace(GUARDED, '') : cell;
}
