import { type IncomingMessage, type RequestListener } from 'node:http';

/** Requests that begin in one turn of the event loop; about 4 ms of work. */
const MAX_PER_TURN = 8;

/**
 * Begins requests a few in each turn of the event loop, one of each sender in turn. Between two turns the sockets of
 * all others are read. A burst of one sender therefore delays another sender's request by about one turn, and not by
 * the burst. A request that meets no burst begins at once.
 *
 * A sender is an `Authorization` header, known or not; without one, a connection's address.
 */
export function inFairTurns(handler: RequestListener): RequestListener {
  const turns = new FairTurns(MAX_PER_TURN);
  return (request, response) => turns.add(senderOf(request), () => handler(request, response));
}

function senderOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? socket.remoteAddress ?? '';
}

/** Work of several senders, in bounded turns of the event loop. */
export class FairTurns {
  /** What waits, by sender; the sender that is served next is first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** Begun in the current turn. */
  private begun = 0;
  private scheduled = false;

  constructor(private readonly maxPerTurn: number) {}

  /** Begins `work` now, or in a later turn. */
  add(sender: string, work: () => void): void {
    this.endTurnSoon();
    if (this.waiting.size === 0 && this.begun < this.maxPerTurn) {
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
      this.beginTurn();
    });
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
