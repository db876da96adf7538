/**
 * Why a request of the contact, campaign and operator endpoints was refused. Each API surface has its own table from
 * code to status, and its own JSON shape; services use neither.
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
  | 'GONE'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE';

/** Fields of an answer beside its `error`. */
export type ErrorDetails = Record<string, string | number | readonly string[]>;

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

/** The bad fields that one message names. */
const MAX_NAMED = 20;

const SEPARATOR = '; ';

/**
 * One message for all faults of a request, in their order: `phoneNumber is required; email must be an email address`.
 *
 * @param messages one for each bad field; undefined: no fault.
 */
export function joinFaults(...messages: (string | undefined)[]): string {
  const faults = messages.filter((message) => message !== undefined);
  const rest = faults.length - MAX_NAMED;
  return [...faults.slice(0, MAX_NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(SEPARATOR);
}

/** The message of a result, if it is a fault. */
export function faultOf(result: { ok: true } | { ok: false; message: string }): string | undefined {
  return result.ok ? undefined : result.message;
}

/** The faults that {@link joinFaults} joined. A single message with a semicolon in it is taken for several. */
export function splitFaults(message: string): string[] {
  return message.split(SEPARATOR);
}
