/** The beginning of a text that a spreadsheet treats as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A number can begin like a formula, but is none. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * A line of a CSV file (RFC 4180), with its line end. Null is an empty cell; objects and lists are JSON. An
 * apostrophe is put before a text that a spreadsheet would run as a formula. Numbers, such as phone numbers,
 * get no apostrophe.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
