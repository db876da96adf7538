import { type Clock } from '../../src/pacing/slot.js';

/**
 * A clock that moves from timer to timer, and stands still while something outside of it, such as Redis,
 * answers.
 */
export class MovedClock implements Clock {
  private ms = 10_000;
  private outside = 0;
  private timers: { at: number; ring: () => void }[] = [];

  now(): number {
    return this.ms;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((ring) => this.timers.push({ at: this.ms + ms, ring }));
  }

  /** Time stands still meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.outside += 1;
    try {
      return await work();
    } finally {
      this.outside -= 1;
    }
  }

  /** Moves the clock until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const note = () => (done = true);
    work.then(note, note);
    for (;;) {
      await this.settled();
      if (done) return work;
      this.timers.sort((a, b) => a.at - b.at);
      const next = this.timers.shift();
      if (next === undefined) throw new Error('The work waits, and no timer is set.');
      this.ms = Math.max(this.ms, next.at);
      next.ring();
    }
  }

  /** Until all that can go on at this instant has gone on. */
  private async settled(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.outside > 0);
  }
}
