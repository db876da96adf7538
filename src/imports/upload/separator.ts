import { mayBeNumber } from '../../domain/contact-columns.js';
import { isBlank, trimmed } from '../../domain/trimmed.js';

/** What can separate the columns of a file, in the order of preference. */
const SEPARATORS = [',', ';', '\t', '|'];
/** The first line that Excel reads and writes to name the separator. */
const NAMED = /^"?sep=([^"\r\n\w])"?\s*$/i;
const QUOTE = '"';

/** How a file begins. */
export interface Beginning {
  separator: string;
  /** The characters before the header. */
  skipped: number;
}

/**
 * Finds the header, and what separates its columns: what its first line names, else the separator by which
 * the header has a column for the phone number, else the most columns.
 *
 * @param text the beginning of the file. @param named further names of columns with phone numbers.
 * @param isWhole whether the text is the whole file.
 * @returns null if the header does not end within the text.
 */
export function beginningOf(text: string, named: readonly string[], isWhole: boolean): Beginning | null {
  let at = 0;
  let separator: string | null = null;
  for (;;) {
    const end = lineEnd(text, at);
    if (end === null && !isWhole) return null;
    const line = text.slice(at, end ?? text.length);
    const ofLine: string | undefined = separator === null ? NAMED.exec(line)?.[1] : undefined;
    if (ofLine !== undefined) separator = ofLine;
    else if (end === null || !isEmptyLine(line)) {
      return { separator: separator ?? likelySeparator(line, named), skipped: at };
    }
    // A line that ends with CR LF is followed by an empty one, which is skipped.
    at = (end ?? text.length) + 1;
  }
}

/** The end of a line whose quotation marks are closed; null if the text ends before. */
function lineEnd(text: string, from: number): number | null {
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const one = text[at];
    if (one === QUOTE) quoted = !quoted;
    else if (!quoted && (one === '\n' || one === '\r')) return at;
  }
  return null;
}

function isEmptyLine(line: string): boolean {
  return isBlank(line.replace(/[,;|"]/g, ''));
}

function likelySeparator(header: string, named: readonly string[]): string {
  const found = SEPARATORS.map((separator) => {
    const names = (cellsOfRecord(header, separator) ?? []).map(trimmed);
    const hasNumber = names.some((name) => named.includes(name) || mayBeNumber(name));
    return { separator, worth: names.length + (hasNumber ? header.length : 0) };
  });
  const most = Math.max(...found.map(({ worth }) => worth));
  return found.find(({ worth }) => worth === most)?.separator ?? ',';
}

/**
 * The cells of one record by RFC 4180; null if its quotation marks do not match. The record may have line
 * ends within quotation marks, and ends without one.
 */
export function cellsOfRecord(record: string, separator: string): string[] | null {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (record[at] !== QUOTE) {
      const end = record.indexOf(separator, at);
      const cell = end === -1 ? record.slice(at) : record.slice(at, end);
      if (cell.includes(QUOTE)) return null;
      cells.push(cell);
      if (end === -1) return cells;
      at = end + 1;
      continue;
    }
    let cell = '';
    let from = at + 1;
    for (;;) {
      const end = record.indexOf(QUOTE, from);
      if (end === -1) return null;
      cell += record.slice(from, end);
      if (record[end + 1] !== QUOTE) {
        at = end + 1;
        break;
      }
      cell += QUOTE;
      from = end + 2;
    }
    cells.push(cell);
    if (at === record.length) return cells;
    if (record[at] !== separator) return null;
    at += 1;
  }
}
