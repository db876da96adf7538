import { type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { bearerToken } from './bearer-token.js';

/** Requests that begin in one turn of the event loop; about 2 ms of work. */
const MAX_PER_TURN = 4;

/** Requests wait no longer than this, in milliseconds, for connections that are still to be accepted. */
export const MAX_POSTPONED_MS = 500;

/**
 * Begins requests a few in each turn of the event loop, one of each sender in turn. Between two turns the sockets of
 * all others are read. A burst of one sender therefore delays another sender's request by about one turn, and not by
 * the burst. A request that meets no burst begins at once.
 *
 * The event loop accepts one connection in each turn. While it does, no request begins: otherwise a burst of new
 * connections would keep the connection behind them waiting for all of their requests.
 *
 * A sender is a bearer token in any spelling of its header, known or not; without one, a connection's address.
 */
export function inFairTurns(server: Server, handler: RequestListener): RequestListener {
  const turns = new FairTurns(MAX_PER_TURN);
  server.on('connection', () => turns.postpone());
  return (request, response) => turns.add(senderOf(request), () => handler(request, response));
}

function senderOf({ headers, socket }: IncomingMessage): string {
  return bearerToken(headers.authorization) ?? socket.remoteAddress ?? '';
}

/** Work of several senders, in bounded turns of the event loop. */
export class FairTurns {
  /** What waits, by sender; the sender that is served next is first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** Begun in the current turn. */
  private begun = 0;
  private scheduled = false;
  /** Whether a connection was accepted in the current turn, and since when in each turn. */
  private accepting = false;
  private acceptingSince: number | null = null;

  /** @param now in milliseconds. */
  constructor(
    private readonly maxPerTurn: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A connection was accepted: no work begins in the current turn, for up to {@link MAX_POSTPONED_MS}. */
  postpone(): void {
    this.accepting = true;
    this.acceptingSince ??= this.now();
    this.endTurnSoon();
  }

  /** Begins `work` now, or in a later turn. */
  add(sender: string, work: () => void): void {
    this.endTurnSoon();
    if (!this.isPostponed() && this.waiting.size === 0 && this.begun < this.maxPerTurn) {
      this.begun += 1;
      work();
      return;
    }
    const queue = this.waiting.get(sender);
    if (queue === undefined) this.waiting.set(sender, [work]);
    else queue.push(work);
  }

  /** The next turn begins after the sockets have been read. */
  private endTurnSoon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.begun = 0;
      const postponed = this.isPostponed();
      if (this.accepting) this.endTurnSoon();
      else this.acceptingSince = null;
      this.accepting = false;
      if (!postponed) this.beginTurn();
    });
  }

  private isPostponed(): boolean {
    return this.accepting && this.now() - (this.acceptingSince ?? 0) < MAX_POSTPONED_MS;
  }

  private beginTurn(): void {
    while (this.begun < this.maxPerTurn) {
      const [next] = this.waiting;
      if (next === undefined) return;
      const [sender, queue] = next;
      // Behind the other senders.
      this.waiting.delete(sender);
      const work = queue.shift();
      if (queue.length > 0) this.waiting.set(sender, queue);
      this.begun += 1;
      work?.();
    }
    this.endTurnSoon();
  }
}
