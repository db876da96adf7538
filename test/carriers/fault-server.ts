import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';

/** What a server can do to a request instead of answering it well. */
export const WIRE_FAULTS = [
  'http_500',
  'http_503',
  'http_429',
  'http_429_retry_after',
  'http_401',
  'http_403',
  'redirect_307',
  'redirect_308',
  'hang',
  'late_answer',
  'reset_before_body',
  'reset_after_request',
  'close_after_request',
  'half_answer',
  'empty_answer',
  'garbage_body',
  'not_http',
  'slow_drip',
] as const;
export type WireFault = (typeof WIRE_FAULTS)[number];

/** With `close_reused` it drops a connection that carries a second request. */
export type ServerFault = WireFault | 'close_reused';

/** What `http_429_retry_after` asks for. */
export const RETRY_AFTER_SECONDS = 7;

/** The head of a request: enough to tell a dial from other requests before any of its body is read. */
export interface Head {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

export interface Received extends Head {
  /** '' where the fault strikes before it is read. */
  body: string;
  /** Of its connection, the first is 1. */
  nthOnConnection: number;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON unless it is text. */
  body: unknown;
}

/** How a server behaves when all is well. */
export type WellBehaved = (request: Received) => Answer;

/**
 * A carrier's server that counts what arrives and does to chosen requests what servers, proxies and networks
 * do. It keeps connections alive, as a client that reuses them would like.
 */
export class FaultServer {
  /** Every request, the first one first. */
  readonly received: Received[] = [];
  private faultOf: (head: Head) => ServerFault | null = () => null;
  private readonly counts = new WeakMap<Socket, number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly server = createServer((request, response) => {
    void this.handle(request, response).catch(() => request.socket.destroy());
  });

  constructor(
    private readonly wellBehaved: WellBehaved,
    /** When `late_answer` comes, in ms. */
    private readonly lateMs: number,
  ) {
    this.server.keepAliveTimeout = 60_000;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** @param faultOf what each request meets from now on; null: it behaves well to that one. */
  misbehave(faultOf: (head: Head) => ServerFault | null): void {
    this.faultOf = faultOf;
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    socket.on('error', () => undefined);
    const nthOnConnection = (this.counts.get(socket) ?? 0) + 1;
    this.counts.set(socket, nthOnConnection);
    const { method = '', url: path = '', headers } = request;
    const received: Received = { method, path, headers, body: '', nthOnConnection };
    this.received.push(received);
    const fault = this.faultOf(received);
    if (fault === 'reset_before_body') return void socket.resetAndDestroy();
    received.body = await textOf(request);
    switch (fault) {
      case null:
        return this.answer(response, this.wellBehaved(received));
      case 'close_reused':
        if (nthOnConnection > 1) return void socket.destroy();
        return this.answer(response, this.wellBehaved(received));
      case 'http_500':
      case 'http_503':
      case 'http_429':
      case 'http_401':
      case 'http_403':
        return this.answer(response, {
          status: Number(fault.slice(5)),
          body: { error: 'by the fault server' },
        });
      case 'http_429_retry_after':
        return this.answer(response, {
          status: 429,
          body: {},
          headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
        });
      case 'redirect_307':
      case 'redirect_308':
        return this.answer(response, {
          status: Number(fault.slice(9)),
          body: '',
          headers: { location: `${path}${path.includes('?') ? '&' : '?'}elsewhere=1` },
        });
      case 'hang':
        return;
      case 'late_answer':
        return this.later(this.lateMs, () => this.answer(response, this.wellBehaved(received)));
      case 'reset_after_request':
        return void socket.resetAndDestroy();
      case 'close_after_request':
        return void socket.destroy();
      case 'half_answer':
        return void socket.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"',
        );
      case 'empty_answer':
        return this.answer(response, { status: 200, body: '' });
      case 'garbage_body':
        return this.answer(response, { status: 200, body: '<html>\u0000 +1 "not [json' });
      case 'not_http':
        return void socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n');
      case 'slow_drip':
        response.writeHead(200, { 'content-type': 'application/json' });
        return this.drip(response);
    }
  }

  private answer(response: ServerResponse, { status, headers, body }: Answer): void {
    if (response.destroyed) return;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** One space at a time, which JSON would allow, without end. */
  private drip(response: ServerResponse): void {
    if (response.destroyed) return;
    response.write(' ');
    this.later(20, () => this.drip(response));
  }

  private later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      then();
    }, ms);
    this.timers.add(timer);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
