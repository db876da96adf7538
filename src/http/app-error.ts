import { type Warning } from '../domain/near-misses.js';

/**
 * Why a request was refused. `ErrorFilter` has a status for each code, and makes the JSON of the answer. The
 * call endpoint has a filter of its own. Services use neither statuses nor JSON.
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
export type ErrorDetails = Record<string, string | number | readonly (string | Warning)[]>;

/** One thing that is wrong with a request. */
export interface Problem {
  /**
   * The path of the field, parameter or header, such as `definition.steps[1].key`; empty for the request as a
   * whole.
   */
  path: string;
  /** A sentence that names the path as well. */
  message: string;
}

/** A refusal that is not a bug. The status of its answer is 4xx, or 503 for `SERVICE_UNAVAILABLE`. */
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

/** Matches the path at the beginning of a message. Messages without a path begin with a capital letter. */
const LEADING_PATH = /^[a-z]\w*(?:\.\w+|\[\d+\])*(?= )/;

/** @param path the field, parameter or header at fault; by default the path with which the message begins. */
export function problemOf(message: string, path = LEADING_PATH.exec(message)?.[0] ?? ''): Problem {
  return { path, message };
}

/** The result of a check: no fault, one fault, or several `problems`. */
export type Read = { ok: true } | Faulty;
export interface Faulty {
  ok: false;
  message: string;
  /** Set if there are several problems, or if the message does not begin with the path. */
  problems?: readonly Problem[];
}

export function problemsOf(...results: Read[]): Problem[] {
  return results.flatMap((result) => (result.ok ? [] : (result.problems ?? [problemOf(result.message)])));
}

/** @param problems at least one. */
export function faulty(problems: readonly Problem[]): Required<Faulty> {
  return { ok: false, message: joinProblems(problems), problems };
}

/** The most problems that one message names. */
const MAX_NAMED = 20;

/**
 * One message for all problems, in their order: `phoneNumber is required; email must be an email address`.
 */
export function joinProblems(problems: readonly Problem[]): string {
  const messages = problems.slice(0, MAX_NAMED).map(({ message }) => message);
  const rest = problems.length - messages.length;
  return [...messages, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** The most problems that an answer lists. */
export const MAX_LISTED = 100;

/** The `errors` of an answer: at most {@link MAX_LISTED} problems. */
export function errorsOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.slice(0, MAX_LISTED);
}
