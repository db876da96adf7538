import { lookup as dnsLookup } from 'node:dns';
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { ADDRESS_NOT_ALLOWED, type AddressRules, guardedLookup } from '../../../http/address-guard.js';
import { resolveByDns } from '../../../http/resolve-by-dns.js';

/** The result of a request. `error` is a code, never a message: messages quote URLs. */
export type PostResult =
  | { kind: 'answer'; status: number; retryAfter: string | undefined; text: string }
  | { kind: 'error'; error: PostError };

/** Why there is no answer. `stopped`: this process stopped while the request was under way. */
export type PostError =
  'timeout' | 'unreachable' | 'tls' | 'reset' | 'broken_answer' | 'address_not_allowed' | 'stopped';

/** At most this many bytes of an answer are stored. */
const ANSWER_BYTES = 1_024;

/** How long an idle connection is kept, in milliseconds. Most servers keep idle connections longer. */
const IDLE_MS = 4_000;

const FREE_CONNECTIONS_PER_HOST = 10;

/**
 * Sends requests on keep-alive connections, follows no redirect, and stops reading an answer once it exceeds
 * {@link ANSWER_BYTES}.
 */
export class Poster {
  private readonly agents;
  private readonly open = new Set<() => void>();

  constructor(
    rules: AddressRules,
    private readonly timeoutMs: number,
    lookup = guardedLookup(rules, resolveByDns(rules.allowPrivate ? { otherwise: dnsLookup } : {})),
  ) {
    const kept = {
      keepAlive: true,
      maxFreeSockets: FREE_CONNECTIONS_PER_HOST,
      timeout: IDLE_MS,
      lookup,
    };
    this.agents = {
      kept: { http: new HttpAgent(kept), https: new HttpsAgent(kept) },
      fresh: { http: new HttpAgent({ lookup }), https: new HttpsAgent({ lookup }) },
    };
  }

  /** Never rejects, and settles within the timeout, which includes a repeated request. */
  async post(url: URL, headers: Record<string, string>, body: Buffer): Promise<PostResult> {
    const until = performance.now() + this.timeoutMs;
    const first = await this.send(url, headers, body, until, true);
    // A server may close a kept connection just as a request begins on it. The request is then repeated once,
    // on a new connection.
    return first === 'stale' ? this.repeat(url, headers, body, until) : first;
  }

  /** Ends the requests that are under way as `stopped`, and closes all connections. */
  close(): void {
    for (const stop of this.open) stop();
    for (const { http, https } of Object.values(this.agents)) {
      http.destroy();
      https.destroy();
    }
  }

  private async repeat(
    url: URL,
    headers: Record<string, string>,
    body: Buffer,
    until: number,
  ): Promise<PostResult> {
    const second = await this.send(url, headers, body, until, false);
    return second === 'stale' ? { kind: 'error', error: 'reset' } : second;
  }

  private send(
    url: URL,
    headers: Record<string, string>,
    body: Buffer,
    until: number,
    kept: boolean,
  ): Promise<PostResult | 'stale'> {
    return new Promise((resolve) => {
      const secure = url.protocol === 'https:';
      const agents = kept ? this.agents.kept : this.agents.fresh;
      const request = (secure ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        headers: { ...headers, 'content-length': body.length },
      });
      let answer: AnswerReader | undefined;
      const settle = (result: PostResult | 'stale') => {
        clearTimeout(timer);
        this.open.delete(stop);
        resolve(result);
      };
      // Once the status has arrived, it is the result, however the body ends.
      const end = (error: PostError) => settle(answer?.result ?? { kind: 'error', error });
      const cut = (error: PostError) => {
        end(error);
        request.destroy();
      };
      const stop = () => cut('stopped');
      this.open.add(stop);
      const timer = setTimeout(() => cut('timeout'), Math.max(0, until - performance.now()));
      request.on('error', (error) => {
        const reason = errorOf(error);
        if (kept && reason === 'reset' && request.reusedSocket && answer === undefined) settle('stale');
        else end(reason);
      });
      request.on('response', (response) => {
        answer = new AnswerReader(response, () => end('reset'));
      });
      request.on('close', () => end('reset'));
      request.end(body);
    });
  }
}

/** Reads up to {@link ANSWER_BYTES} of an answer, and closes the connection if the answer is longer. */
class AnswerReader {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly response: IncomingMessage,
    onEnd: () => void,
  ) {
    response.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk.subarray(0, ANSWER_BYTES - this.size));
      this.size += chunk.length;
      if (this.size <= ANSWER_BYTES) return;
      onEnd();
      response.destroy();
    });
    response.on('error', onEnd);
    response.on('end', onEnd);
  }

  get result(): PostResult {
    const { statusCode: status = 0, headers } = this.response;
    // Leaves out a character of which only the beginning was read, and NUL, which Postgres cannot store.
    const text = new StringDecoder('utf8').write(Buffer.concat(this.chunks)).replaceAll('\0', '');
    return { kind: 'answer', status, retryAfter: headers['retry-after'], text };
  }
}

const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

function errorOf(error: Error): PostError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === ADDRESS_NOT_ALLOWED) return 'address_not_allowed';
  if (TLS_CODE.test(code)) return 'tls';
  if (code.startsWith('HPE_')) return 'broken_answer';
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'reset' : 'unreachable';
}
