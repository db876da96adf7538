const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_END = 0x5d;
const LETTER_A = 0x61;
const LETTER_E = 0x65;
const LETTER_Z = 0x7a;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** A double keeps every number of at most this many digits that is written without an exponent. */
const SAFE_DIGITS = 15;
const DIGITS_ONLY = /^-?\d+$/;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/**
 * What {@link scanJson} found. `lossyAt` holds the offsets of numbers that JavaScript does not keep ({@link
 * isKept}): the first {@link MAX_LOSSY}.
 */
export interface JsonScan {
  values: number;
  lossyAt: readonly number[];
}

/** The most numbers that a refusal names. */
const MAX_LOSSY = 20;

/**
 * Scans the text of a JSON document once, before it is parsed. It counts values, and finds numbers that
 * JavaScript does not keep. It creates no objects, and stops at more than `maxValues`. For text that is not
 * JSON the result has no meaning.
 */
export function scanJson(text: string, maxValues: number): JsonScan {
  let values = 0;
  const lossyAt: number[] = [];
  let at = 0;
  while (at < text.length && values <= maxValues) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      values += 1;
    } else if (code === COLON) {
      // The string before the colon was counted as a value, but it is a key.
      values -= 1;
      at += 1;
    } else if (code === BRACE || code === BRACKET) {
      values += 1;
      at += 1;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at);
      if (!isShort(text, at, end) && lossyAt.length < MAX_LOSSY && !isKept(text.slice(at, end)))
        lossyAt.push(at);
      values += 1;
      at = end;
    } else if (code >= LETTER_A && code <= LETTER_Z) {
      values += 1;
      at = endOfLiteral(text, at);
    } else {
      at += 1;
    }
  }
  return { values, lossyAt };
}

/**
 * Whether JavaScript keeps a number of a JSON document as it was written.
 *
 * A number is kept if JavaScript reads and writes it as the same decimal. Examples are `0.1`, `1.50` and
 * `1e21`. Integers beyond ±2^53 without an exponent are not kept: JavaScript would keep some of them, but not
 * their neighbors. Numbers with more digits than a double holds are not kept. Neither are numbers that would
 * become infinite or zero.
 */
export function isKept(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  if (Math.abs(value) > 2 ** 53 && DIGITS_ONLY.test(source)) return false;
  const kept = String(value);
  return kept === source || decimalOf(source) === decimalOf(kept);
}

/**
 * One spelling for each decimal: its digits without zeros at either end, and its exponent. The sign is left
 * out.
 */
function decimalOf(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/** The keys and indices that lead to the value at `offset` of a valid JSON document. */
export function pathAt(text: string, offset: number): (string | number)[] {
  const path: (string | number)[] = [];
  let key = '';
  for (let at = 0; at < offset; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      key = text.slice(at, end);
      at = end - 1;
    } else if (code === BRACE) path.push('');
    else if (code === BRACKET) path.push(0);
    else if (code === BRACE_END || code === BRACKET_END) path.pop();
    else if (code === COLON) path[path.length - 1] = JSON.parse(key) as string;
    else if (code === COMMA) {
      const index = path.at(-1);
      if (typeof index === 'number') path[path.length - 1] = index + 1;
    }
  }
  return path;
}

/** The offset after the closing quote of the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  const quote = text.indexOf('"', at + 1);
  if (quote === -1) return text.length;
  let end = quote;
  while (text.charCodeAt(end - 1) === BACKSLASH) end -= 1;
  // An even number of backslashes before the quote are escaped backslashes, so the quote ends the string.
  if ((quote - end) % 2 === 0) return quote + 1;
  end = quote + 1;
  while (end < text.length && text.charCodeAt(end) !== QUOTE)
    end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  return Math.min(end + 1, text.length);
}

/** Whether a number has at most {@link SAFE_DIGITS} characters and no exponent, so that it is kept. */
function isShort(text: string, at: number, end: number): boolean {
  if (end - at > SAFE_DIGITS) return false;
  for (let place = at; place < end; place += 1) {
    if ((text.charCodeAt(place) | 0x20) === LETTER_E) return false;
  }
  return true;
}

function endOfNumber(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

function isOfNumber(code: number): boolean {
  return (
    (code >= ZERO && code <= NINE) ||
    code === POINT ||
    code === MINUS ||
    code === PLUS ||
    (code | 0x20) === LETTER_E
  );
}

function endOfLiteral(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) >= LETTER_A && text.charCodeAt(end) <= LETTER_Z) end += 1;
  return end;
}
