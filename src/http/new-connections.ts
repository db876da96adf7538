import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { networkOf } from './client-address.js';
import { FairIterations } from './fair-iterations.js';
import { FirstRequestWindow } from './first-request-window.js';

/**
 * The most new connections from which one iteration starts to read. It must not exceed the number of requests
 * that an iteration begins.
 */
const OPENED_PER_ITERATION = 2;

/**
 * After this many first requests of one client address in an iteration, its other connections without a
 * request are paused.
 */
export const FIRST_REQUESTS_PER_ITERATION = 4;

interface FirstReadOptions {
  /** By default, no address is a trusted proxy. */
  isTrustedProxy?: (address: string) => boolean;
  /** In milliseconds. */
  now?: () => number;
}

/**
 * Starts to read from a few new connections in each iteration, round-robin by client address (IPv6: /64).
 *
 * The event loop accepts one connection in each iteration. While connections are accepted, at most one new
 * connection of each address is read every 10 ms (`FairIterations`). Otherwise the last connection of a burst
 * would wait for the requests of all others.
 *
 * A client can open many connections, and send on all of them later. One iteration would read all these
 * requests, up to 64 KB of each. After {@link FIRST_REQUESTS_PER_ITERATION} first requests of an address, its
 * connections without a request are therefore paused and queued again.
 *
 * The {@link FirstRequestWindow} delays the first reads of an address with many unanswered first requests,
 * but not of a trusted proxy. A proxy may open a connection for each request, and its requests are of many
 * teams.
 */
export function scheduleFirstReads(server: Server, { isTrustedProxy, now }: FirstReadOptions = {}): void {
  const iterations = new FairIterations(OPENED_PER_ITERATION, now);
  const connections = new NewConnections(iterations, new FirstRequestWindow(now), isTrustedProxy);
  // An option of `net.Server` that `http.Server` does not pass on.
  (server as Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
  server.on('connection', (socket: Socket) => connections.onConnection(socket));
  server.prependListener('request', ({ socket }, response) => connections.onRequest(socket, response));
}

/** The connections on which no request has arrived yet. */
class NewConnections {
  /** Connections that are read and have had no request, by client address (IPv6: /64). */
  private readonly silent = new Map<string, Set<Socket>>();
  /** First requests that arrived in the current iteration, by client address (IPv6: /64). */
  private readonly arrived = new Map<string, number>();

  constructor(
    private readonly iterations: FairIterations,
    private readonly window: FirstRequestWindow,
    private readonly isTrustedProxy: (address: string) => boolean = () => false,
  ) {}

  onConnection(socket: Socket): void {
    // A connection beyond the bound on connections is closed already.
    if (socket.destroyed) return;
    const network = networkOf(socket.remoteAddress ?? '');
    socket.once('close', () => this.forget(network, socket));
    this.iterations.onAccepted();
    this.scheduleRead(network, socket);
  }

  onRequest(socket: Socket, response: ServerResponse): void {
    // Usually every connection has had a request, so nothing is to be done.
    if (this.silent.size === 0) return;
    const network = networkOf(socket.remoteAddress ?? '');
    if (!this.forget(network, socket)) return;
    this.window.begin(network);
    response.once('close', () => this.window.end(network));
    if (this.arrived.size === 0) setImmediate(() => this.arrived.clear());
    const count = (this.arrived.get(network) ?? 0) + 1;
    this.arrived.set(network, count);
    if (count >= FIRST_REQUESTS_PER_ITERATION) this.pauseSilent(network);
  }

  private scheduleRead(network: string, socket: Socket): void {
    const read = () => this.read(network, socket);
    this.iterations.add(network, () => {
      if (this.window.isOpen(network) || this.isTrustedProxy(socket.remoteAddress ?? '')) read();
      else this.window.wait(network, () => this.iterations.add(network, read));
    });
  }

  private read(network: string, socket: Socket): void {
    if (socket.destroyed) return;
    const silent = this.silent.get(network);
    if (silent === undefined) this.silent.set(network, new Set([socket]));
    else silent.add(socket);
    socket.resume();
  }

  private pauseSilent(network: string): void {
    const silent = this.silent.get(network) ?? [];
    this.silent.delete(network);
    for (const socket of silent) {
      // The kernel may have reported data on this connection already. The pause discards that report.
      socket.pause();
      this.scheduleRead(network, socket);
    }
  }

  /** @returns whether the connection was read, and had no request before. */
  private forget(network: string, socket: Socket): boolean {
    const silent = this.silent.get(network);
    if (silent === undefined || !silent.delete(socket)) return false;
    if (silent.size === 0) this.silent.delete(network);
    return true;
  }
}
