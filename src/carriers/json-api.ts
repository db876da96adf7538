import { type IncomingHttpHeaders } from 'node:http';
import { retryAfterMs } from '../http/retry-after.js';
import { jsonIn } from './answer-json.js';
import { type EraseCallResult } from './carrier.js';
import { isRecord } from './report-body.js';
import { OpenRequests } from './open-requests.js';
import { type SendOnceRequest } from './send-once.js';

/** Descriptions of calls have transcripts with the instant of each word. */
const LARGEST_ANSWER = 8 * 1024 * 1024;

/** The pause after a refusal for too many calls that names none: a call has to end first. */
const PAUSE_MS = 10_000;

/** The result of one request to a platform's API. `value` is undefined if the answer is no JSON. */
export type JsonAnswer =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; value: unknown }
  | { kind: 'not_sent' | 'unreachable' | 'broken'; reason: string };

export interface JsonRequest {
  method: SendOnceRequest['method'];
  /** With its query, below the base URL; or a whole URL. */
  path: string | URL;
  body?: object;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** A platform's API of JSON over HTTP. Each request is sent at most once, and none is repeated. */
export class JsonApi {
  private readonly requests = new OpenRequests();

  /** @param baseUrl without a slash at its end. @param timeoutMs for one request. */
  constructor(
    private readonly baseUrl: string,
    readonly timeoutMs: number,
  ) {}

  async send({ method, path, body, headers, signal }: JsonRequest): Promise<JsonAnswer> {
    const answer = await this.requests.send({
      method,
      url: typeof path === 'string' ? new URL(`${this.baseUrl}${path}`) : path,
      ...(body && { body: JSON.stringify(body) }),
      headers: { 'user-agent': 'Outdial', accept: 'application/json', ...headers },
      signal,
      sendWithinMs: this.timeoutMs,
      largestAnswer: LARGEST_ANSWER,
    });
    if (answer.kind !== 'answer') return answer;
    const { status, headers: answered, body: text } = answer;
    return { kind: 'answer', status, headers: answered, value: jsonIn(text) };
  }

  close(): void {
    this.requests.close();
  }
}

/**
 * What became of a request to erase a call.
 *
 * @param isRefusal whether an answer of 4xx is the platform's own.
 */
export function erasureResult(answer: JsonAnswer, isRefusal: (value: unknown) => boolean): EraseCallResult {
  if (answer.kind !== 'answer') return { kind: 'not_done', reason: answer.reason };
  const { status, value } = answer;
  if (status === 204 || (status === 200 && value !== undefined)) return { kind: 'erased' };
  if (status === 404 && isRefusal(value)) return { kind: 'not_found' };
  return { kind: 'not_done', reason: status === 200 ? 'carrier_unreadable' : `carrier_http_${status}` };
}

/** The objects of a list; null for a value that is no list of objects. */
export function recordsIn(value: unknown): Record<string, unknown>[] | null {
  return Array.isArray(value) && value.every(isRecord) ? value : null;
}

/** After how many ms a throttled dial may be tried again. */
export function pauseAfter(headers: IncomingHttpHeaders): number {
  const said = headers['retry-after'];
  return said === undefined ? PAUSE_MS : Math.max(retryAfterMs(said), 1_000);
}
