import { isUtf8 } from 'node:buffer';

/**
 * A part of a file that is not text. All bytes before the line with the fault were passed on.
 *
 * `predicate` says of that line what it is, such as `is not valid UTF-8`.
 */
export class EncodingFaultError extends Error {
  override name = 'EncodingFaultError';
  constructor(readonly predicate: string) {
    super(predicate);
  }
}

const NEW_LINE = 0x0a;
const END_MARK = 0x1a;
/** The most bytes that are held back because they may be the end of the file. */
const MAX_HELD = 4096;
const REPLACED = '\uFFFD';

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Byte order marks, with the names that `TextDecoder` has for the encodings. */
const UTF16_MARKS = [
  { mark: Buffer.from([0xff, 0xfe]), label: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), label: 'utf-16be' },
] as const;

const NOT_UTF8 = 'is not valid UTF-8';
const LIKE_1252 = `${NOT_UTF8}: the file looks like Windows-1252 (or ISO 8859-1); save it as UTF-8`;
const NOT_UTF16 = 'is not valid UTF-16';

/**
 * The text of a file in UTF-8 without a byte order mark. A file in UTF-16 begins with its byte order mark. The
 * mark by which DOS ended files (Ctrl-Z) is left out.
 *
 * @throws EncodingFaultError.
 */
export async function* textOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* withoutEndMark(decoded(pieces));
}

async function* decoded(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  let decode: ((piece?: Buffer) => Generator<Buffer>) | null = null;
  for await (const piece of pieces) {
    if (decode !== null) {
      yield* decode(piece);
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < UTF8_MARK.length) continue;
    decode = decoderOf(head);
    yield* decode(head);
  }
  decode ??= decoderOf(head);
  // A file that is shorter than the longest mark was not passed on yet.
  if (head.length < UTF8_MARK.length) yield* decode(head);
  yield* decode();
}

/** @param head the first bytes of the file, which are also the first to be decoded. */
function decoderOf(head: Buffer): (piece?: Buffer) => Generator<Buffer> {
  const utf16 = UTF16_MARKS.find(({ mark }) => head.subarray(0, mark.length).equals(mark));
  return utf16 === undefined ? checkUtf8() : fromUtf16(utf16.label);
}

function fromUtf16(label: string): (piece?: Buffer) => Generator<Buffer> {
  const decoder = new TextDecoder(label, { fatal: true });
  const lenient = new TextDecoder(label);
  return function* decode(piece) {
    const stream = piece !== undefined;
    const text = lenient.decode(piece, { stream });
    try {
      decoder.decode(piece, { stream });
    } catch {
      const fault = text.indexOf(REPLACED);
      yield Buffer.from(text.slice(0, text.lastIndexOf('\n', Math.max(0, fault)) + 1));
      throw new EncodingFaultError(NOT_UTF16);
    }
    if (text !== '') yield Buffer.from(text);
  };
}

function checkUtf8(): (piece?: Buffer) => Generator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  return function* check(piece) {
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      if (piece === undefined) throw new EncodingFaultError(`${NOT_UTF8}: the file ends within a character`);
      const { from, line } = faultyLine(piece);
      yield piece.subarray(0, from);
      throw new EncodingFaultError(looksLike1252(line) ? LIKE_1252 : NOT_UTF8);
    }
    if (piece === undefined) return;
    const marked = isFirst && piece.subarray(0, UTF8_MARK.length).equals(UTF8_MARK);
    isFirst = false;
    yield marked ? piece.subarray(UTF8_MARK.length) : piece;
  };
}

/** The first line of a piece that is not UTF-8. The piece may begin and end within a character. */
function faultyLine(piece: Buffer): { from: number; line: Buffer } {
  const first = piece.indexOf(NEW_LINE);
  const head = { from: 0, line: piece.subarray(0, first === -1 ? piece.length : first) };
  if (first === -1) return head;
  if (!isUtf8(head.line.subarray(continued(head.line)))) return head;
  for (let from = first + 1; ;) {
    const end = piece.indexOf(NEW_LINE, from);
    const line = piece.subarray(from, end === -1 ? piece.length : end);
    if (end === -1) {
      const isCut = [0, 1, 2, 3].some((cut) => isUtf8(line.subarray(0, Math.max(0, line.length - cut))));
      // If no other line is at fault, the character at the beginning of the piece is.
      return isCut ? head : { from, line };
    }
    if (!isUtf8(line)) return { from, line };
    from = end + 1;
  }
}

/** How many bytes at the beginning of a piece can only continue a character. */
function continued(piece: Buffer): number {
  const at = piece.findIndex((byte) => byte < 0x80 || byte > 0xbf);
  return Math.min(3, at === -1 ? piece.length : at);
}

/**
 * Whether a line that is not UTF-8 has letters of Windows-1252: only single bytes above ASCII, of which none is
 * undefined.
 */
function looksLike1252(line: Buffer): boolean {
  const undefinedBytes = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
  return line.some((byte) => byte > 0x7f) && !line.some((byte) => undefinedBytes.includes(byte));
}

async function* withoutEndMark(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const next of pieces) {
    const piece = held.length === 0 ? next : Buffer.concat([held, next]);
    const end = beforeEndMark(piece);
    held = piece.subarray(end);
    if (end > 0) yield piece.subarray(0, end);
    if (held.length <= MAX_HELD) continue;
    yield held;
    held = Buffer.alloc(0);
  }
}

/** Where an end mark begins after which there is only white space; the length of the piece if there is none. */
function beforeEndMark(piece: Buffer): number {
  let at = piece.length;
  while (at > 0 && isSpace(piece[at - 1])) at -= 1;
  if (piece[at - 1] !== END_MARK) return piece.length;
  while (at > 0 && (piece[at - 1] === END_MARK || isSpace(piece[at - 1]))) at -= 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}
