/**
 * The longest rest, in milliseconds. An iteration that took longer also did other work, after which the queue
 * need not rest.
 */
const MAX_REST_MS = 50;

/**
 * Begins work that occupies the event loop for milliseconds: one piece at a time, round-robin by sender.
 * After each piece it rests for as long as the iteration with the piece took. However much work waits, the
 * queue takes at most about half of the process' time.
 */
export class RestingQueue {
  /** Waiting work by sender; the sender that is served next is first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private resting = false;
  private waitingCount = 0;

  /** How much work waits. */
  get size(): number {
    return this.waitingCount;
  }

  /** Begins `work` now, or after other work and its rest. */
  add(sender: string, work: () => void): void {
    if (!this.resting) {
      this.begin(work);
      return;
    }
    this.waitingCount += 1;
    const queue = this.waiting.get(sender);
    if (queue === undefined) this.waiting.set(sender, [work]);
    else queue.push(work);
  }

  private begin(work: () => void): void {
    this.resting = true;
    const began = performance.now();
    setImmediate(() => {
      const rest = Math.min(performance.now() - began, MAX_REST_MS);
      setTimeout(() => this.beginNext(), rest);
    });
    work();
  }

  private beginNext(): void {
    this.resting = false;
    const [first] = this.waiting;
    if (first === undefined) return;
    const [sender, queue] = first;
    this.waiting.delete(sender);
    const work = queue.shift();
    if (queue.length > 0) this.waiting.set(sender, queue);
    this.waitingCount -= 1;
    if (work) this.begin(work);
  }
}
