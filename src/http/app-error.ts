/**
 * Why a request of the contact, campaign and operator endpoints was refused. Each API surface owns its own
 * table from code to status and its own JSON shape; services know neither.
 */
export type ErrorCode =
  | 'UNAUTHORIZED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_ENCODING'
  | 'INVALID_REQUEST'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'UNPROCESSABLE'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE';

/** Fields of an answer beside its `error`. */
export type ErrorDetails = Record<string, string | readonly string[]>;

/** A refusal that is not a bug: it becomes a 4xx (or the 503 of a missing Postgres) with `message`. */
export class AppError extends Error {
  override name = 'AppError';

  /** @param details further fields of the answer's body, such as `enrollmentId`. */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

export const invalid = (message: string): AppError => new AppError('INVALID_REQUEST', message);
export const notFound = (what: string): AppError => new AppError('NOT_FOUND', `${what} not found`);
