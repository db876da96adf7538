/**
 * Why a request of the contact, campaign and operator endpoints was refused. Each API surface has its own
 * table from code to status, and its own JSON shape; services use neither.
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

/** One thing that is wrong with a request. */
export interface Problem {
  /**
   * The field, parameter or header, with the way to it: `definition.steps[1].key`; empty for the request as a
   * whole.
   */
  path: string;
  /** A sentence that names the path as well. */
  message: string;
}

/** A refusal that is not a bug: it becomes a 4xx (or the 503 of a missing Postgres) with `message`. */
export class AppError extends Error {
  override name = 'AppError';

  /**
   * @param details further fields of the answer's body, such as `enrollmentId`.
   * @param problems the faults that `message` names, one by one.
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    readonly problems: readonly Problem[] = [problemOf(message)],
  ) {
    super(message);
  }
}

/** A refusal for all that is wrong with a request. */
export function invalid(...problems: (Problem | string)[]): AppError {
  const all = problems.map((one) => (typeof one === 'string' ? problemOf(one) : one));
  return new AppError('INVALID_REQUEST', joinProblems(all), {}, all);
}

export const notFound = (what: string): AppError => new AppError('NOT_FOUND', `${what} not found`);

/** Messages begin with the path of what is at fault, or with a capital. */
const LEADING_PATH = /^[a-z]\w*(?:\.\w+|\[\d+\])*(?= )/;

/** @param path of what the message is about, where the message does not begin with it. */
export function problemOf(message: string, path = LEADING_PATH.exec(message)?.[0] ?? ''): Problem {
  return { path, message };
}

/** What is wrong with something that was read: nothing, one thing, or its `problems`. */
export type Read = { ok: true } | Faulty;
export interface Faulty {
  ok: false;
  message: string;
  /** Where there are several, or the message does not begin with the path. */
  problems?: readonly Problem[];
}

export function problemsOf(...results: Read[]): Problem[] {
  return results.flatMap((result) => (result.ok ? [] : (result.problems ?? [problemOf(result.message)])));
}

/** @param problems at least one. */
export function faulty(problems: readonly Problem[]): Required<Faulty> {
  return { ok: false, message: joinProblems(problems), problems };
}

/** The problems that one message names. */
const MAX_NAMED = 20;

/**
 * One message for all problems, in their order: `phoneNumber is required; email must be an email address`.
 */
export function joinProblems(problems: readonly Problem[]): string {
  const messages = problems.slice(0, MAX_NAMED).map(({ message }) => message);
  const rest = problems.length - messages.length;
  return [...messages, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** The problems that an answer lists. */
export const MAX_LISTED = 100;

/** `errors` of an answer. */
export function errorsOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.slice(0, MAX_LISTED);
}
