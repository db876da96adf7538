import { type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/**
 * Milliseconds without a byte in either direction, after which a connection with a request on it is closed.
 */
const SILENCE_MS = 30_000;

/**
 * The time limits of the servers of the API and the worker, in milliseconds. A client that sends too slowly
 * is cut off. The API limits bodies where it reads them, because the upload of a file may take long.
 */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  // Most load balancers close an idle connection after a minute. This is longer, so that they do not send a
  // request on a connection that the server is closing.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
} satisfies ServerOptions;

/**
 * How long the stopping server keeps idle connections, in milliseconds. A client's next request may be on its
 * way.
 */
export const IDLE_GRACE_MS = 250;

/**
 * How long the stopping server waits for requests, in periods of {@link IDLE_GRACE_MS}: ten seconds in which
 * the process ran. Each wait for a lock, a statement or a database connection has a shorter limit. An upload,
 * an export or a large body that waits in a queue can take longer, and is cut off.
 */
const LONGEST_REQUEST_PERIODS = 40;

/** The most iterations of the event loop in which the stopping server accepts waiting connections. */
const MOST_ACCEPTING = 1_000;

/**
 * Bounds the number of a server's connections: a further one is closed when it opens. When the server stops,
 * each connection is closed after its last answer.
 */
export class Connections {
  /**
   * Each connection with the responses that have not ended yet. A connection has several responses if the
   * client sends requests without waiting for answers.
   */
  private readonly open = new Map<Socket, Set<ServerResponse>>();
  /** How many connections were accepted so far. */
  private accepted = 0;
  private draining = false;
  private onEmpty = () => {};

  constructor(
    private readonly server: Server,
    max: number,
  ) {
    server.maxConnections = max;
    server.timeout = SILENCE_MS;
    // With a listener, the server does not close the connection itself.
    server.on('timeout', (socket: Socket) => void this.closeIfSilent(socket));
    server.on('connection', (socket) => this.opened(socket));
    server.prependListener('request', (request, response) => this.asked(request, response));
  }

  /**
   * Stops accepting connections, and answers the requests that arrive on open ones. The last answer on each
   * connection closes it. A connection without a request is closed when it has been idle for
   * {@link IDLE_GRACE_MS}. It is not idle while it is paused, because a request may wait on it unread.
   *
   * The machine may stand still, and timers then run before the sockets are read. Only the state after a poll
   * of the sockets therefore shows whether a connection is idle.
   *
   * @returns when no connection is left. Connections that are left after {@link LONGEST_REQUEST_PERIODS} are
   *   cut off.
   */
  async drain(): Promise<void> {
    this.draining = true;
    const empty = new Promise<void>((resolve) => (this.onEmpty = resolve));
    for (const answers of this.open.values()) closeAfterLast(answers);
    let idle = this.idle();
    let periods = 0;
    let polling = false;
    const check = async () => {
      if (polling) return;
      polling = true;
      await poll();
      polling = false;
      const still = this.idle();
      for (const [socket, bytesRead] of still) if (idle.get(socket) === bytesRead) socket.destroy();
      idle = still;
      periods += 1;
      if (periods >= LONGEST_REQUEST_PERIODS) this.cut();
    };
    const timer = setInterval(() => void check(), IDLE_GRACE_MS);
    await this.acceptWaiting();
    // The HTTP server's own `close` is not used, because it also closes idle connections at once.
    NetServer.prototype.close.call(this.server);
    if (this.open.size > 0) await empty;
    clearInterval(timer);
  }

  /**
   * Accepts the connections that the kernel has already opened for their clients. Closing the listener would
   * reset them. The event loop may accept only one connection in each iteration.
   */
  private async acceptWaiting(): Promise<void> {
    for (let iteration = 0; iteration < MOST_ACCEPTING; iteration += 1) {
      const before = this.accepted;
      await poll();
      if (this.accepted === before) return;
    }
  }

  /** Closes a connection after its timeout, unless a byte has arrived that was not read yet. */
  private async closeIfSilent(socket: Socket): Promise<void> {
    const { bytesRead, bytesWritten } = socket;
    await poll();
    if (socket.bytesRead === bytesRead && socket.bytesWritten === bytesWritten) socket.destroy();
  }

  private opened(socket: Socket): void {
    this.accepted += 1;
    this.open.set(socket, new Set());
    socket.once('close', () => {
      this.open.delete(socket);
      if (this.open.size === 0) this.onEmpty();
    });
  }

  private asked({ socket }: IncomingMessage, response: ServerResponse): void {
    const answers = this.open.get(socket);
    if (answers === undefined) return;
    answers.add(response);
    if (this.draining) closeAfterLast(answers);
    response.once('close', () => {
      answers.delete(response);
      // An answer whose head was sent before the server began to stop does not close the connection, so it is
      // closed here.
      if (this.draining && answers.size === 0) socket.destroySoon();
    });
  }

  /** The connections without a request, with the bytes that arrived on each. */
  private idle(): Map<Socket, number> {
    const idle = [...this.open].filter(([socket, { size }]) => size === 0 && !socket.isPaused());
    return new Map(idle.map(([socket]) => [socket, socket.bytesRead]));
  }

  private cut(): void {
    for (const socket of this.open.keys()) socket.destroy();
  }
}

/** Resolves after the event loop has read the sockets once more: a second `setImmediate` follows a poll. */
function poll(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/**
 * Makes the last answer close its connection. Node closes a connection after any answer with `Connection:
 * close`, also if further requests wait on it.
 */
function closeAfterLast(answers: Set<ServerResponse>): void {
  const last = [...answers].at(-1);
  for (const answer of answers) if (!answer.headersSent) answer.shouldKeepAlive = answer !== last;
}
