import { type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { networkOf } from './client-address.js';

/** Requests that begin in one turn of the event loop; about 2 ms of work. With two, batches are smaller, and each request costs a tenth more. */
const MAX_PER_TURN = 4;

/** New connections whose first bytes are read in one turn of the event loop: not more than the requests that it begins. */
const OPENED_PER_TURN = 2;

/** First requests on new connections of one client address, after which a turn reads no further ones of it. */
export const FIRST_REQUESTS_PER_TURN = 4;

/** The longest time for which accepting a burst of connections slows down the first reads, in milliseconds. */
export const MAX_ACCEPTING_MS = 500;

/** The share of time for which accepting may do so in the long run, if connections are opened without a pause. */
const ACCEPTING_SHARE = 0.1;

/** While connections are accepted: the time between the first reads from two connections of one client address. */
export const ACCEPTING_GAP_MS = 10;

/**
 * Begins a few requests in each turn (iteration) of the event loop, round-robin by sender. Between two turns the loop
 * reads all sockets. A burst of one sender therefore delays another sender's request by about one turn. Without a burst,
 * a request begins at once.
 *
 * The first read from a new connection is bounded in the same way, round-robin by client address (IPv6: /64). The event
 * loop accepts one connection in each turn. While it accepts, it reads from one new connection of each address in
 * {@link ACCEPTING_GAP_MS}. Otherwise the last connection of a burst would wait for the requests of all others.
 *
 * @param teamOf the team of a request's key, or null if this process does not know the key. All keys of a team are one
 *   sender. All requests of a client address with unknown keys are one sender, so invented keys give no larger share.
 */
export function inFairTurns(
  server: Server,
  handler: RequestListener,
  teamOf: (request: IncomingMessage) => string | null,
): RequestListener {
  beginConnectionsInTurns(server);
  const turns = new FairTurns(MAX_PER_TURN);
  return (request, response) =>
    turns.add(teamOf(request) ?? networkOf(request.socket.remoteAddress ?? ''), () =>
      handler(request, response),
    );
}

/**
 * Reads first from a few new connections in each turn, round-robin by client address.
 *
 * A client can open many connections, and send on all of them later. One turn would read all these requests, up to 64 KB of
 * each. After {@link FIRST_REQUESTS_PER_TURN} of an address, its connections without a request wait for turns again.
 *
 * @param now in milliseconds.
 */
export function beginConnectionsInTurns(server: Server, now?: () => number): void {
  const connections = new NewConnections(new FairTurns(OPENED_PER_TURN, now));
  // An option of `net.Server` that `http.Server` does not pass on.
  (server as Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
  server.on('connection', (socket: Socket) => connections.accepted(socket));
  server.prependListener('request', ({ socket }) => connections.asked(socket));
}

/** The connections on which no request has arrived yet. */
class NewConnections {
  /** Those that are read, by client network. */
  private readonly silent = new Map<string, Set<Socket>>();
  /** First requests that arrived in the current turn, by client network. */
  private readonly arrived = new Map<string, number>();

  constructor(private readonly turns: FairTurns) {}

  accepted(socket: Socket): void {
    // A connection beyond the bound on connections is closed already.
    if (socket.destroyed) return;
    const network = networkOf(socket.remoteAddress ?? '');
    socket.once('close', () => this.forget(network, socket));
    this.turns.accepted();
    this.readInTurn(network, socket);
  }

  /** A request arrived. */
  asked(socket: Socket): void {
    // So it is for most requests: their connections had one before.
    if (this.silent.size === 0) return;
    const network = networkOf(socket.remoteAddress ?? '');
    if (!this.forget(network, socket)) return;
    if (this.arrived.size === 0) setImmediate(() => this.arrived.clear());
    const count = (this.arrived.get(network) ?? 0) + 1;
    this.arrived.set(network, count);
    if (count >= FIRST_REQUESTS_PER_TURN) this.pauseSilent(network);
  }

  private readInTurn(network: string, socket: Socket): void {
    this.turns.add(network, () => {
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
      // Also if the kernel has reported already that it can be read.
      socket.pause();
      this.readInTurn(network, socket);
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

/** Begins work of several senders: a bounded amount in each turn of the event loop, round-robin by sender. */
export class FairTurns {
  /** Waiting work by sender; the sender that is served next is first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** How much work began in the current turn. */
  private begun = 0;
  private scheduled = false;
  /** Whether a connection was accepted in the current turn. */
  private accepting = false;
  /** When the current series of turns that accepted a connection began; null if the last turn accepted none. */
  private acceptingSince: number | null = null;
  /** How long accepting may still slow down work, in milliseconds, as of the end of the last series. */
  private acceptingLeft = MAX_ACCEPTING_MS;
  /** When the last series ended. */
  private acceptedUntil = 0;
  /** When each sender last began work during the current series. */
  private readonly begunAt = new Map<string, number>();

  /** @param now in milliseconds. */
  constructor(
    private readonly maxPerTurn: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A connection was accepted. For a bounded time, less work begins, until a turn accepts no connection. */
  accepted(): void {
    this.accepting = true;
    if (this.acceptingSince === null) {
      const now = this.now();
      const regained = (now - this.acceptedUntil) * ACCEPTING_SHARE;
      this.acceptingLeft = Math.min(MAX_ACCEPTING_MS, this.acceptingLeft + regained);
      this.acceptingSince = now;
    }
    this.endTurnSoon();
  }

  /** Begins `work` now, or in a later turn. */
  add(sender: string, work: () => void): void {
    this.endTurnSoon();
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
    if (this.begun >= this.maxPerTurn) return false;
    if (!this.isHeldBack()) return true;
    const now = this.now();
    if (now - (this.begunAt.get(sender) ?? -Infinity) < ACCEPTING_GAP_MS) return false;
    this.begunAt.set(sender, now);
    return true;
  }

  private isHeldBack(): boolean {
    return this.acceptingSince !== null && this.now() - this.acceptingSince < this.acceptingLeft;
  }

  /** `setImmediate` runs after the loop has read the sockets. */
  private endTurnSoon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.begun = 0;
      if (!this.accepting) this.endAccepting();
      this.accepting = false;
      this.beginTurn();
      if (this.begun > 0 || this.waiting.size > 0 || this.acceptingSince !== null) this.endTurnSoon();
    });
  }

  private endAccepting(): void {
    if (this.acceptingSince === null) return;
    this.acceptedUntil = this.now();
    this.acceptingLeft = Math.max(0, this.acceptingLeft - (this.acceptedUntil - this.acceptingSince));
    this.acceptingSince = null;
    this.begunAt.clear();
  }

  private beginTurn(): void {
    // A sender with more work is appended, so the loop reaches it again after the others.
    for (const [sender, queue] of this.waiting) {
      if (this.begun >= this.maxPerTurn) break;
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
