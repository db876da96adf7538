import { setTimeout } from 'node:timers/promises';

/** In milliseconds; what takes longer has waited for Postgres. */
const MAX_REST_MS = 50;

/**
 * Runs work one after the other, in the order of the calls, with a rest after each that is as long as the
 * work was. For reads that take a core for milliseconds: they leave half of the time to other requests,
 * however many are asked for.
 */
export class OneAtATime {
  private last: Promise<unknown> = Promise.resolve();

  /** @returns what `work` returns or throws, without the rest. */
  run<T>(work: () => Promise<T>): Promise<T> {
    let began = 0;
    const result = this.last.then(() => {
      began = performance.now();
      return work();
    });
    const rest = () => setTimeout(Math.min(performance.now() - began, MAX_REST_MS));
    this.last = result.then(rest, rest);
    return result;
  }
}
