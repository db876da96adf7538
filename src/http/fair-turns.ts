import { type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type Socket } from 'node:net';

/** Requests that begin in one turn of the event loop; about 1 ms of work. */
const MAX_PER_TURN = 2;

/** Connections whose first bytes are read in one turn of the event loop; fewer than its requests, which else would pile up. */
const OPENED_PER_TURN = 2;

/** How long a burst of new connections is accepted before others, in milliseconds. */
export const MAX_ACCEPTING_MS = 500;

/** Which part of the time may go to that in the long run: connections that are opened without pause gain no more. */
const ACCEPTING_SHARE = 0.1;

/** While connections are accepted, one connection of a client address is begun in so many milliseconds. */
export const ACCEPTING_GAP_MS = 10;

/**
 * Begins requests a few in each turn of the event loop, one of each sender in turn. Between two turns the sockets of
 * all others are read. A burst of one sender therefore delays another sender's request by about one turn, and not by
 * the burst. A request that meets no burst begins at once.
 *
 * New connections are begun in the same way, one of each client address in turn: nothing is read from the others. The
 * event loop accepts one connection in each turn. While it does, an address begins one connection in
 * {@link ACCEPTING_GAP_MS}: otherwise a burst of new connections would keep the connection behind them waiting for all
 * of their requests.
 *
 * @param teamOf the team whose key a request sends, where that is known without asking. All keys of a team are one
 *   sender, and so are all requests of a client address whose keys are not known: invented ones gain no turns.
 */
export function inFairTurns(
  server: Server,
  handler: RequestListener,
  teamOf: (request: IncomingMessage) => string | null,
): RequestListener {
  beginConnectionsInTurns(server);
  const turns = new FairTurns(MAX_PER_TURN);
  return (request, response) =>
    turns.add(teamOf(request) ?? request.socket.remoteAddress ?? '', () => handler(request, response));
}

/** Reads from new connections a few in each turn, one of each client address in turn. @param now in milliseconds. */
export function beginConnectionsInTurns(server: Server, now?: () => number): void {
  const turns = new FairTurns(OPENED_PER_TURN, now);
  // An option of `net.Server` that `http.Server` does not pass on.
  (server as Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
  server.on('connection', (socket: Socket) => {
    // One beyond the bound has been closed already.
    if (socket.destroyed) return;
    turns.accepted();
    turns.add(socket.remoteAddress ?? '', () => socket.resume());
  });
}

/** Work of several senders, in bounded turns of the event loop. */
export class FairTurns {
  /** What waits, by sender; the sender that is served next is first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** Begun in the current turn. */
  private begun = 0;
  private scheduled = false;
  /** Whether a connection was accepted in the current turn, and since when in each turn; null: not in the last one. */
  private accepting = false;
  private acceptingSince: number | null = null;
  /** Milliseconds that may go to accepting, as of the end of the last time. */
  private acceptingLeft = MAX_ACCEPTING_MS;
  private acceptedUntil = 0;
  /** When each sender began work while connections were accepted. */
  private readonly begunAt = new Map<string, number>();

  /** @param now in milliseconds. */
  constructor(
    private readonly maxPerTurn: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A connection was accepted: for a bounded time, little work begins until a turn without one. */
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

  /** The next turn begins after the sockets have been read. */
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
    // A sender with more work is met again, behind the others.
    for (const [sender, queue] of this.waiting) {
      if (this.begun >= this.maxPerTurn) break;
      if (this.mayBegin(sender)) this.begin(sender, queue);
    }
  }

  private begin(sender: string, queue: (() => void)[]): void {
    // Behind the other senders.
    this.waiting.delete(sender);
    const work = queue.shift();
    if (queue.length > 0) this.waiting.set(sender, queue);
    this.begun += 1;
    work?.();
  }
}
