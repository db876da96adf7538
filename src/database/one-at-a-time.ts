/**
 * Runs work one after the other, in the order of the calls. For reads that take a core for milliseconds: several at once
 * would leave none to other requests.
 */
export class OneAtATime {
  private last: Promise<unknown> = Promise.resolve();

  /** @returns what `work` returns or throws. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
