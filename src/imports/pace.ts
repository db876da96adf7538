import { setTimeout } from 'node:timers/promises';

/**
 * Limits the rate of rows, so that an import does not delay requests and calls. If the rows took longer than
 * `msPerRow` each, there is no pause.
 */
export class Pace {
  private restedAt = performance.now();

  /** @param msPerRow the least time for a row, in milliseconds. @param signal ends a rest. */
  constructor(
    private readonly msPerRow: number,
    private readonly signal?: AbortSignal,
  ) {}

  /** Waits until `rows` × `msPerRow` have passed since the last rest, or since the start. */
  async rest(rows: number): Promise<void> {
    const ms = this.restedAt + rows * this.msPerRow - performance.now();
    if (ms >= 1) await setTimeout(ms, undefined, { signal: this.signal }).catch(() => undefined);
    this.restedAt = performance.now();
  }
}
