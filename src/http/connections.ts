import { type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { networkOf } from './client-address.js';

/**
 * Milliseconds without a byte in either direction, after which a connection with a request on it is closed.
 */
const SILENCE_MS = 30_000;

/** Of every server that Outdial opens, in milliseconds: a client that sends slowly is cut off. */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  // Longer than the minute after which usual balancers close an idle connection: otherwise they send into
  // closed ones.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
} satisfies ServerOptions;

/** A request whose client has just been answered may be on its way while the server stops. */
const IDLE_GRACE_MS = 250;

/**
 * No request takes longer: waits for locks, statements and connections all end before. Only where large bodies
 * wait in a queue may one take longer, and is cut.
 */
const LONGEST_REQUEST_MS = 10_000;

/**
 * The connections of a server: their number is bounded, and they end in order.
 *
 * A client address may hold as many connections as are free: half of `max` while it is the only one. The
 * first beyond is closed as it opens.
 */
export class Connections {
  /**
   * Each connection with its requests that are not answered yet; several, if the client sends without
   * waiting.
   */
  private readonly open = new Map<Socket, Set<ServerResponse>>();
  private readonly byAddress = new Map<string, number>();
  private draining = false;
  private onEmpty = () => {};

  constructor(
    private readonly server: Server,
    private readonly max: number,
  ) {
    server.timeout = SILENCE_MS;
    server.on('connection', (socket) => this.opened(socket));
    server.prependListener('request', (request, response) => this.asked(request, response));
  }

  /**
   * Accepts no further connection, and answers what was asked. Each answer from now on closes its connection;
   * a connection without a request is closed.
   *
   * @returns when no connection is left, at the latest after the time of the longest request; what is left
   *   then is cut.
   */
  async drain(): Promise<void> {
    this.draining = true;
    // Not the HTTP server's own, which cuts idle connections in the same moment.
    NetServer.prototype.close.call(this.server);
    const empty = new Promise<void>((resolve) => (this.onEmpty = resolve));
    for (const answers of this.open.values()) closeAfterLast(answers);
    const idle = setTimeout(() => this.cut(({ size }) => size === 0), IDLE_GRACE_MS);
    const late = setTimeout(() => this.cut(() => true), LONGEST_REQUEST_MS);
    if (this.open.size > 0) await empty;
    clearTimeout(idle);
    clearTimeout(late);
  }

  private opened(socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? '');
    const own = this.byAddress.get(address) ?? 0;
    if (own >= this.max - this.open.size) {
      socket.destroy();
      return;
    }
    this.open.set(socket, new Set());
    this.byAddress.set(address, own + 1);
    socket.once('close', () => this.closed(socket, address));
  }

  private closed(socket: Socket, address: string): void {
    this.open.delete(socket);
    const left = (this.byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, left);
    if (this.open.size === 0) this.onEmpty();
  }

  private asked({ socket }: IncomingMessage, response: ServerResponse): void {
    const answers = this.open.get(socket);
    if (answers === undefined) return;
    answers.add(response);
    if (this.draining) closeAfterLast(answers);
    response.once('close', () => {
      answers.delete(response);
      // Its head may have been sent before the server began to stop.
      if (this.draining && answers.size === 0) socket.destroySoon();
    });
  }

  private cut(which: (answers: Set<ServerResponse>) => boolean): void {
    for (const [socket, answers] of this.open) if (which(answers)) socket.destroy();
  }
}

/**
 * A connection is closed after an answer with `Connection: close`, also if further requests arrived on it.
 */
function closeAfterLast(answers: Set<ServerResponse>): void {
  const last = [...answers].at(-1);
  for (const answer of answers) if (!answer.headersSent) answer.shouldKeepAlive = answer !== last;
}
