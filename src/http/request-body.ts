import { type Request } from 'express';
import { type Faulty } from './app-error.js';

/** The most bytes of a body. A larger body is refused with 413. */
export const MAX_BODY_BYTES = 256 * 1024;

/** A body above this size, in bytes, is large. Reading and parsing a large body takes milliseconds. */
export const LARGE_BODY_BYTES = 16 * 1024;

/** The result of reading a request's body. */
export type RawBody =
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'too_large' }
  | { kind: 'encoded' }
  | { kind: 'unreadable'; message: string };

/** A body as one JSON object, or why it is none. */
export type JsonObjectResult = { ok: true; value: Record<string, unknown> } | (Faulty & { code: BodyFault });

export type BodyFault = 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_ENCODING' | 'INVALID_REQUEST';

/**
 * The body of a request, which stays in the socket until it is read. The middleware of `body-reader.ts`
 * implements it.
 */
export interface RequestBody {
  /**
   * The owner of the memory that the body holds: a team's id, or the name of a surface; null: not known yet.
   */
  owner: string | null;
  /** @param maxValues the most JSON values in the body. @throws AppError `RATE_LIMITED`. */
  readJson(maxValues?: number): Promise<JsonObjectResult>;
  /**
   * Reserves memory until the request is answered, for a body that is not read as a whole.
   * @throws AppError `RATE_LIMITED`.
   */
  openStream(bytes: number): void;
}

/** The middleware sets `requestBody`. `rawBody` is set when the body has been read. */
export type RequestWithBody = Request & { requestBody?: RequestBody; rawBody?: RawBody };

/**
 * Notes that the request's credentials are good, before its body is read.
 * @param owner see {@link RequestBody}.
 */
export function ownBody(request: Request, owner: string): void {
  const { requestBody } = request as RequestWithBody;
  if (requestBody !== undefined) requestBody.owner = owner;
}

/**
 * Lets the caller read the body from the request itself.
 *
 * @param bytes the most memory that the caller uses for the body. @throws AppError `RATE_LIMITED` when bodies
 *   of the same owner hold too much.
 */
export function openBodyStream(request: Request, bytes: number): void {
  const { requestBody } = request as RequestWithBody;
  if (requestBody === undefined) throw new Error('The middleware that opens bodies is missing');
  requestBody.openStream(bytes);
}

/**
 * The request's body as an object, or why it is none. A request without a body is invalid.
 *
 * @param maxValues the most JSON values in the body.
 * @throws AppError `RATE_LIMITED` when bodies of the same owner or client hold too much memory.
 */
export function readJsonObject(request: Request, maxValues?: number): Promise<JsonObjectResult> {
  const { requestBody } = request as RequestWithBody;
  if (requestBody === undefined) throw new Error('The middleware that opens bodies is missing');
  return requestBody.readJson(maxValues);
}
