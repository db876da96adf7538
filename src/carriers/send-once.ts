import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type LookupFunction } from 'node:net';
import { ADDRESS_NOT_ALLOWED } from '../http/address-guard.js';

/**
 * The result of one HTTP request. `unreachable`: connecting failed or took too long, so no byte of the
 * request was sent, and a retry is safe. `not_sent`: no byte was sent, and a retry would fail as well.
 * `broken`: the request may have been sent, but no complete answer arrived.
 */
export type SendOnceResult =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: string }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'broken'; reason: string };

/** The result of a dial by the result of its request, which had no answer. */
export const UNANSWERED = { not_sent: 'refused', unreachable: 'unreachable', broken: 'unknown' } as const;

export interface SendOnceRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  /** JSON, unless a header names another content type. */
  body?: string;
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** Resolves the host's name. The connection goes only to an address that the lookup returns. */
  lookup?: LookupFunction;
  /** The most bytes of the answer; 64 KB if absent. */
  largestAnswer?: number;
  /**
   * The time limit for sending, in ms from the invocation of `sendOnce`. It also holds if the process is
   * suspended before the request is sent.
   */
  sendWithinMs: number;
}

const LARGEST_ANSWER = 65_536;

/**
 * The share of `sendWithinMs` for connecting. With this share, a host that drops packets gives `unreachable`
 * before `carrier.timeoutMs` ends. Without it, `placeCallBounded` would return `unknown`.
 */
const CONNECT_SHARE = 1 / 2;

/**
 * Sends at most one HTTP request, on a connection of its own, without retry or redirect. No connection is
 * reused, because a server may close an idle connection just when the next request is sent. The client then
 * does not know whether the server received the request, and some clients send it again.
 *
 * The request is written only after the connection is established. If connecting fails, no server has
 * received the request.
 */
export function sendOnce(asked: SendOnceRequest) {
  const { method, url, body, headers, signal, lookup, sendWithinMs, largestAnswer = LARGEST_ANSWER } = asked;
  return new Promise<SendOnceResult>((resolve) => {
    if (signal.aborted) return resolve({ kind: 'unreachable', reason: 'carrier_timeout' });
    const startedAt = performance.now();
    let sent = false;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const request = send(url, {
      method,
      agent: false,
      signal,
      ...(lookup && { lookup }),
      headers: {
        ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...headers,
      },
    });
    request.on('socket', (socket) => {
      socket.once(connected, () => {
        // When a suspended process resumes, this event can come before its timers.
        if (signal.aborted || request.destroyed || performance.now() - startedAt > sendWithinMs) {
          request.destroy();
          return;
        }
        sent = true;
        clearTimeout(connecting);
        request.end(bytes);
      });
    });
    const connecting = setTimeout(() => {
      // Lets the event loop first handle a connection that was established while the loop was busy.
      setImmediate(() => {
        if (!sent) request.destroy();
      });
    }, sendWithinMs * CONNECT_SHARE);
    const fail = (error: Error | null) => {
      clearTimeout(connecting);
      if (sent)
        return resolve({ kind: 'broken', reason: signal.aborted ? 'carrier_timeout' : brokenBy(error) });
      if (codeOf(error) === ADDRESS_NOT_ALLOWED) {
        return resolve({ kind: 'not_sent', reason: 'carrier_address_not_allowed' });
      }
      resolve({ kind: 'unreachable', reason: signal.aborted ? 'carrier_timeout' : 'carrier_unreachable' });
    };
    let responded = false;
    request.on('error', fail);
    request.on('close', () => {
      // An answer without a length ends when its connection closes. Its `end` event then comes after this
      // event.
      if (!responded) fail(null);
    });
    request.on('response', (response) => {
      responded = true;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > largestAnswer) response.destroy(new Error('answer too large'));
      });
      response.on('error', () => fail(null));
      response.on('close', () => fail(null));
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ kind: 'answer', status, headers, body: Buffer.concat(chunks).toString() });
      });
    });
  });
}

function brokenBy(error: Error | null): string {
  const code = codeOf(error);
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'carrier_reset' : 'carrier_broken_answer';
}

function codeOf(error: Error | null): unknown {
  return error !== null && 'code' in error ? error.code : undefined;
}
