import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import busboy from 'busboy';
import { type Request } from 'express';
import { AppError, invalid } from './app-error.js';
import { openBodyStream } from './request-body.js';

/** The file of a form, as it arrives. */
interface SentFile {
  /** As the browser names it; empty: no file was chosen. */
  name: string;
  /** Read no faster than they are used. @throws AppError `INVALID_REQUEST` for an upload that was cut off. */
  pieces: AsyncIterable<Buffer>;
}

/** A form with a file (`multipart/form-data`). */
export interface UploadedForm {
  /** The fields before the file. Of a field that was sent twice, the first value. */
  fields: ReadonlyMap<string, string>;
  /** Null: the form has no file. */
  file: SentFile | null;
  /** Reads what is left of the body and drops it, within bounds, so that the browser reads the answer. */
  drop: () => Promise<void>;
}

/** The most fields of a form, and the most bytes of one. */
const LIMITS = { files: 1, fields: 50, fieldSize: 4_096, fieldNameSize: 100, parts: 60 };
/** The most bytes of a file that are processed in one iteration of the event loop. */
const PIECE_BYTES = 4 * 1024;
/** What is dropped of a refused upload, and for how many milliseconds. */
const DROPPED = { bytes: 128 * 1024 * 1024, ms: 20_000 };

const CUT_OFF = 'The upload ended before the end of the file';

export function isMultipart({ headers }: Request): boolean {
  return /^\s*multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}

/**
 * Reads a form with a file up to the beginning of the file, which stays in the socket until it is read.
 *
 * @param memory the most bytes that the caller uses for the file.
 * @throws AppError `INVALID_REQUEST` for what is no form; `RATE_LIMITED`.
 */
export async function openUpload(request: Request, memory: number): Promise<UploadedForm> {
  openBodyStream(request, memory);
  const parser = parserOf(request);
  const fields = new Map<string, string>();
  const stop = () => {
    request.unpipe(parser);
    parser.destroy();
  };
  const drop = () => {
    stop();
    return dropped(request);
  };
  return new Promise((resolve, reject) => {
    const refuse = (message: string) => {
      stop();
      reject(invalid(message));
    };
    parser.on('field', (name, value, { valueTruncated }) => {
      if (valueTruncated) refuse(`${name} is too long`);
      else if (value.includes('\0')) refuse('A field contains a character that cannot be stored');
      else if (!fields.has(name)) fields.set(name, value);
    });
    parser.on('file', (_, stream, { filename = '' }) => {
      // What is read of it later reports its errors.
      stream.on('error', () => undefined);
      request.once('close', () => {
        if (!request.complete) stream.destroy(new Error(CUT_OFF));
      });
      // Fields behind the file do not count, however early they arrive.
      resolve({ fields: new Map(fields), file: { name: filename, pieces: piecesOf(stream) }, drop });
    });
    parser.on('close', () => resolve({ fields, file: null, drop }));
    parser.on('error', () => reject(invalid('The form could not be read')));
    request.once('close', () => reject(invalid(CUT_OFF)));
    request.pipe(parser);
  });
}

function parserOf({ headers }: Request): busboy.Busboy {
  try {
    return busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    throw invalid('The form could not be read');
  }
}

async function* piecesOf(stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        yield chunk.subarray(at, at + PIECE_BYTES);
        await setImmediate();
      }
    }
  } catch (error) {
    throw error instanceof AppError ? error : invalid(CUT_OFF);
  }
}

async function dropped(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), DROPPED.ms);
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DROPPED.bytes) ended.abort();
  };
  const onClose = () => ended.abort();
  request.on('data', count).once('close', onClose);
  await once(request, 'end', { signal: ended.signal }).catch(() => undefined);
  request.off('data', count).off('close', onClose);
  clearTimeout(timer);
}
