import { setTimeout } from 'node:timers/promises';
import { restMs } from './rest.js';

/** Lengths of a rest, as multiples of the work before it: if nothing waits, and if further work waits. */
const REST = { alone: 1, contended: 2 };

/**
 * Runs work one after the other, in the order of arrival, with a rest after each piece of work. The rest is
 * as long as the work was, or twice as long if further work waits. This is for reads that take a core for
 * milliseconds: they leave at least half of the time to other requests, however many reads wait.
 */
export class OneAtATime {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** @returns what `work` returns or throws, without the rest. */
  run<T>(work: () => Promise<T>): Promise<T> {
    let began = 0;
    this.waiting += 1;
    const result = this.last.then(() => {
      this.waiting -= 1;
      began = performance.now();
      return work();
    });
    const rest = () => {
      const factor = this.waiting > 0 ? REST.contended : REST.alone;
      return setTimeout(restMs(performance.now() - began, factor));
    };
    this.last = result.then(rest, rest);
    return result;
  }
}
