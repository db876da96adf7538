import type { components } from './generated/schema.js';

type Schemas = components['schemas'];

/** One thing that is wrong with a request. */
export type Problem = Schemas['Problem'];

/** The refusals of `calls.create`. */
export type CallRefusalReason = {
  [Name in keyof Schemas]: Name extends `CallRefusal${number}`
    ? Schemas[Name] extends { reason: infer Reason }
      ? Reason
      : never
    : never;
}[keyof Schemas];

const CODES = {
  400: 'INVALID_REQUEST',
  401: 'INVALID_API_KEY',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_ENCODING',
  422: 'UNPROCESSABLE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL',
  503: 'SERVICE_UNAVAILABLE',
} as const;

type KnownCode = CallRefusalReason | (typeof CODES)[keyof typeof CODES] | 'UNKNOWN';

/** A refusal's code. A newer API may send others. */
export type ErrorCode = KnownCode | (string & {});

/** What every error of this package is. */
export class OutdialError extends Error {
  override name = 'OutdialError';
  /** The `Idempotency-Key` that the request carried: send it again to repeat the request safely. */
  idempotencyKey?: string;
}

/**
 * No answer came, or a part of one: the request may have been carried out. `cause` is the error of the
 * network.
 */
export class ConnectionError extends OutdialError {
  override name = 'ConnectionError';
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** What an error's body has, as far as the API's document names it. */
export interface ErrorBody {
  error?: string;
  message?: string;
  requestId?: string;
  errors?: Problem[];
  reason?: string;
  retryable?: boolean;
  runsAt?: string;
  contactId?: string;
  externalIdContactId?: string;
  enrollmentId?: string;
  importId?: string;
  oldest?: number;
}

/** The API refused the request, or failed. */
export class ApiError extends OutdialError {
  override name = 'ApiError';
  /** `reason` where the API sends one, else a code of the status. */
  readonly code: ErrorCode;
  /** The id of the request in the logs of the API. */
  readonly requestId: string | undefined;
  /** One entry for each fault of the request, at most 100. Empty unless the status is 400. */
  readonly errors: readonly Problem[];
  readonly reason: string | undefined;
  /** Whether the same request may be accepted later; only `calls.create` and `calls.explain` tell. */
  readonly retryable: boolean | undefined;
  readonly runsAt: string | undefined;
  readonly contactId: string | undefined;
  /** The contact that has the external id already. */
  readonly externalIdContactId: string | undefined;
  /** The enrollment that the contact has already. */
  readonly enrollmentId: string | undefined;
  /** The import that the file left. */
  readonly importId: string | undefined;
  /** The `sequence` of the oldest event that is kept. */
  readonly oldest: number | undefined;
  /** Of the header `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  /** @param body of the answer: an object, or undefined if it is not the API's. */
  constructor(
    readonly status: number,
    readonly body: ErrorBody | undefined,
    headers: Headers = new Headers(),
  ) {
    const { error, message } = body ?? {};
    super(message ?? error ?? `The API answered with status ${status}`);
    this.code = body?.reason ?? (CODES as Record<number, ErrorCode>)[status] ?? 'UNKNOWN';
    this.requestId = body?.requestId ?? headers.get('x-request-id') ?? undefined;
    this.errors = body?.errors ?? [];
    this.reason = body?.reason;
    this.retryable = body?.retryable;
    this.runsAt = body?.runsAt;
    this.contactId = body?.contactId;
    this.externalIdContactId = body?.externalIdContactId;
    this.enrollmentId = body?.enrollmentId;
    this.importId = body?.importId;
    this.oldest = body?.oldest;
    this.retryAfterMs = retryAfterOf(headers);
  }
}

/** Seconds, or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** @param text of the answer. */
export function apiErrorOf({ status, headers }: Response, text: string): ApiError {
  return new ApiError(status, bodyOf(text), headers);
}

function bodyOf(text: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Of a proxy, for example.
    return undefined;
  }
}
