import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { networkOf } from './client-address.js';

/**
 * The most new connections from which one iteration starts to read. It must not exceed the requests that an
 * iteration begins.
 */
const OPENED_PER_ITERATION = 2;

/**
 * After this many first requests of one client address in an iteration, its other connections without a
 * request are paused.
 */
export const FIRST_REQUESTS_PER_ITERATION = 4;

/**
 * The longest time for which accepting a burst of connections slows down the first reads, in milliseconds.
 */
export const MAX_ACCEPTING_MS = 500;

/** The long-run share of time in which accepted connections may slow down first reads. */
const ACCEPTING_SHARE = 0.1;

/**
 * While connections are accepted: the least time between first reads from two connections of one client
 * address.
 */
export const ACCEPTING_GAP_MS = 10;

/**
 * Starts to read from a few new connections in each iteration, round-robin by client address (IPv6: /64).
 *
 * The event loop accepts one connection in each iteration. While it accepts, it begins to read at most one
 * new connection of each address every {@link ACCEPTING_GAP_MS}. Otherwise the last connection of a burst
 * would wait for the requests of all others.
 *
 * A client can open many connections, and send on all of them later. One iteration would read all these
 * requests, up to 64 KB of each. After {@link FIRST_REQUESTS_PER_ITERATION} of an address, its connections
 * without a request are paused and queued again.
 *
 * @param now in milliseconds.
 */
export function scheduleFirstReads(server: Server, now?: () => number): void {
  const connections = new NewConnections(new FairIterations(OPENED_PER_ITERATION, now));
  // An option of `net.Server` that `http.Server` does not pass on.
  (server as Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
  server.on('connection', (socket: Socket) => connections.onConnection(socket));
  server.prependListener('request', ({ socket }) => connections.onRequest(socket));
}

/** The connections on which no request has arrived yet. */
class NewConnections {
  /** Connections that are read and have had no request, by client address (IPv6: /64). */
  private readonly silent = new Map<string, Set<Socket>>();
  /** First requests that arrived in the current iteration, by client address (IPv6: /64). */
  private readonly arrived = new Map<string, number>();

  constructor(private readonly iterations: FairIterations) {}

  onConnection(socket: Socket): void {
    // A connection beyond the bound on connections is closed already.
    if (socket.destroyed) return;
    const network = networkOf(socket.remoteAddress ?? '');
    socket.once('close', () => this.forget(network, socket));
    this.iterations.onAccepted();
    this.scheduleRead(network, socket);
  }

  onRequest(socket: Socket): void {
    // Usually every connection has had a request, so nothing is to be done.
    if (this.silent.size === 0) return;
    const network = networkOf(socket.remoteAddress ?? '');
    if (!this.forget(network, socket)) return;
    if (this.arrived.size === 0) setImmediate(() => this.arrived.clear());
    const count = (this.arrived.get(network) ?? 0) + 1;
    this.arrived.set(network, count);
    if (count >= FIRST_REQUESTS_PER_ITERATION) this.pauseSilent(network);
  }

  private scheduleRead(network: string, socket: Socket): void {
    this.iterations.add(network, () => {
      if (socket.destroyed) return;
      const silent = this.silent.get(network);
      if (silent === undefined) this.silent.set(network, new Set([socket]));
      else silent.add(socket);
      socket.resume();
    });
  }

  private pauseSilent(network: string): void {
    const silent = this.silent.get(network) ?? [];
    this.silent.delete(network);
    for (const socket of silent) {
      // This also drops a readiness that the kernel has already reported.
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

/**
 * Begins work of several senders: a bounded amount in each iteration of the event loop, round-robin by
 * sender.
 */
export class FairIterations {
  /** Waiting work by sender; the sender that is served next is first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** How much work began in the current iteration. */
  private begun = 0;
  private scheduled = false;
  /** Whether a connection was accepted in the current iteration. */
  private accepting = false;
  /**
   * When the current series of iterations that accepted a connection began; null if the last iteration
   * accepted no connection.
   */
  private acceptingSince: number | null = null;
  /**
   * How long work may still be slowed down, in milliseconds. The value is of the beginning of the current
   * series, or of the end of the last one.
   */
  private slowdownLeftMs = MAX_ACCEPTING_MS;
  /** When the last series ended. */
  private acceptedUntil = 0;
  /** When each sender last began work during the current series. */
  private readonly begunAt = new Map<string, number>();

  /** @param now in milliseconds. */
  constructor(
    private readonly maxPerIteration: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * A connection was accepted. Less work begins until an iteration accepts no connection. The slowdown is
   * also bounded in time.
   */
  onAccepted(): void {
    this.accepting = true;
    if (this.acceptingSince === null) {
      const now = this.now();
      const regained = (now - this.acceptedUntil) * ACCEPTING_SHARE;
      this.slowdownLeftMs = Math.min(MAX_ACCEPTING_MS, this.slowdownLeftMs + regained);
      this.acceptingSince = now;
    }
    this.endIterationSoon();
  }

  /** Begins `work` now, or in a later iteration. */
  add(sender: string, work: () => void): void {
    this.endIterationSoon();
    if (this.waiting.size === 0 && this.mayBegin(sender)) {
      this.begun += 1;
      work();
      return;
    }
    const queue = this.waiting.get(sender);
    if (queue === undefined) this.waiting.set(sender, [work]);
    else queue.push(work);
  }

  private mayBegin(sender: string): boolean {
    if (this.begun >= this.maxPerIteration) return false;
    if (!this.isSlowed()) return true;
    const now = this.now();
    if (now - (this.begunAt.get(sender) ?? -Infinity) < ACCEPTING_GAP_MS) return false;
    this.begunAt.set(sender, now);
    return true;
  }

  private isSlowed(): boolean {
    return this.acceptingSince !== null && this.now() - this.acceptingSince < this.slowdownLeftMs;
  }

  /** `setImmediate` runs after the loop has read the sockets. */
  private endIterationSoon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.begun = 0;
      if (!this.accepting) this.endAccepting();
      this.accepting = false;
      this.beginIteration();
      if (this.begun > 0 || this.waiting.size > 0 || this.acceptingSince !== null) this.endIterationSoon();
    });
  }

  private endAccepting(): void {
    if (this.acceptingSince === null) return;
    this.acceptedUntil = this.now();
    this.slowdownLeftMs = Math.max(0, this.slowdownLeftMs - (this.acceptedUntil - this.acceptingSince));
    this.acceptingSince = null;
    this.begunAt.clear();
  }

  private beginIteration(): void {
    // A sender with more work is appended, so the loop reaches it again after the others.
    for (const [sender, queue] of this.waiting) {
      if (this.begun >= this.maxPerIteration) break;
      if (this.mayBegin(sender)) this.begin(sender, queue);
    }
  }

  private begin(sender: string, queue: (() => void)[]): void {
    this.waiting.delete(sender);
    const work = queue.shift();
    if (queue.length > 0) this.waiting.set(sender, queue);
    this.begun += 1;
    work?.();
  }
}
