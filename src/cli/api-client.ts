import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiAccess } from '../config/api-access.js';
import { AppError, type ErrorCode, type ErrorDetails, type Problem } from '../http/app-error.js';
import { STATUS } from '../http/error.filter.js';

/** A request to the API. `path` is escaped and begins with `/api/`. */
export interface ApiRequest {
  method: string;
  path: string;
  /** A parameter may be repeated. */
  query?: readonly (readonly [name: string, value: string])[];
  headers?: Readonly<Record<string, string>>;
  /** JSON, or the bytes of a file. */
  body?: string | AsyncIterable<Uint8Array>;
}

/** The API did not answer, or what answered is not the API. The exit code is 1. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';
}

/** How often a request is sent that the rate limit refuses. */
const MAX_ATTEMPTS = 6;
/** The longest wait for the rate limit. */
const MAX_WAIT_SECONDS = 60;

const CODES = new Map(Object.entries(STATUS).map(([code, status]) => [status, code as ErrorCode]));

/** Sends requests with a team's key. */
export class ApiClient {
  constructor(private readonly access: ApiAccess) {}

  /**
   * @returns the JSON of the answer; undefined for an answer without a body.
   * @throws AppError with which the API refuses the request; ApiFailure.
   */
  async ask(request: ApiRequest): Promise<unknown> {
    const text = await this.answered(async () => (await this.send(request)).text());
    if (text === '') return undefined;
    const body = parsed(text);
    if (body === undefined) throw new ApiFailure('The answer is not of the API: see OUTDIAL_URL.');
    return body;
  }

  /** The bytes of the answer as they arrive. @throws as {@link ask}, also while the bytes are read. */
  async *read(request: ApiRequest): AsyncGenerator<Buffer> {
    const { body } = await this.answered(() => this.send(request));
    if (body === null) return;
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await this.answered(() => reader.read());
        if (done) return;
        yield Buffer.from(value);
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  private async send({ method, path, query = [], headers = {}, body }: ApiRequest): Promise<Response> {
    const url = new URL(`${this.access.url}${path}`);
    for (const [name, value] of query) url.searchParams.append(name, value);
    const sent = { ...headers, authorization: `Bearer ${this.access.apiKey}` };
    const isFile = body !== undefined && typeof body !== 'string';
    let fileError: unknown;
    for (let attempt = 1; ; attempt += 1) {
      const init = isFile ? ofFile(body, (error) => (fileError = error)) : ofText(body);
      const response = await fetch(url, { method, headers: sent, ...init }).catch((error: unknown) => {
        throw fileError ?? error;
      });
      if (response.ok) return response;
      if (response.status !== STATUS.RATE_LIMITED || isFile || attempt === MAX_ATTEMPTS) {
        throw refusalOf(response.status, await response.text());
      }
      // A request over the limit was not carried out.
      await response.body?.cancel();
      await pause(1_000 * secondsOf(response.headers.get('retry-after')));
    }
  }

  private async answered<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  /** The error of a connection as a message; other errors as they are. */
  private failureOf(error: unknown): unknown {
    const { name, message, cause } = error as Error;
    if (name !== 'TypeError' || !FETCH_ERRORS.has(message)) return error;
    const { code } = (cause ?? {}) as { code?: unknown };
    const { host } = new URL(this.access.url);
    const why = typeof code === 'string' ? ` (${code})` : '';
    return new ApiFailure(`The API at ${host} cannot be reached, or broke off${why}: see OUTDIAL_URL.`);
  }
}

/** The messages of the errors that `fetch` makes of all faults of a connection. */
const FETCH_ERRORS = new Set(['fetch failed', 'terminated']);

/** No redirect is followed: the answer would not be of the API. */
const ofText = (body: string | undefined): RequestInit => ({ body, redirect: 'manual' });

/** The file is sent as it is read. `fetch` hides an error of reading, so `onError` gets it. */
function ofFile(body: AsyncIterable<Uint8Array>, onError: (error: unknown) => void): RequestInit {
  // In any other mode, `fetch` keeps what was sent in memory. Its types do not know `duplex`.
  const streamed: RequestInit & { duplex: 'half' } = {
    body: Readable.toWeb(Readable.from(watched(body, onError), { objectMode: false })) as ReadableStream,
    redirect: 'error',
    duplex: 'half',
  };
  return streamed;
}

async function* watched<T>(items: AsyncIterable<T>, onError: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    onError(error);
    throw error;
  }
}

function secondsOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? 1);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_WAIT_SECONDS) : 1;
}

/** The error with which an operation within this process would be refused. */
function refusalOf(status: number, text: string): Error {
  const body = parsed(text);
  const code = CODES.get(status);
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string')
    return new ApiFailure(`The answer ${status} is not of the API: see OUTDIAL_URL.`);
  const { error, errors, requestId, ...details } = body as Record<string, unknown> & { error: string };
  if (code === undefined) {
    return new ApiFailure(`The API answered ${status}: ${error} (request ${String(requestId)}).`);
  }
  const message = messageOf(code, error);
  const problems = Array.isArray(errors) ? (errors as Problem[]) : undefined;
  return new AppError(code, message, details as ErrorDetails, problems);
}

function messageOf(code: ErrorCode, error: string): string {
  if (code === 'UNAUTHORIZED') return `${error}: see OUTDIAL_API_KEY`;
  // The address of a route means nothing on the command line.
  return code === 'NOT_FOUND'
    ? error.replace(/^(.+ not found): .* in the path is not an id\b.*$/, '$1')
    : error;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
