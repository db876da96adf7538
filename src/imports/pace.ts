import { setTimeout } from 'node:timers/promises';

/** Slows rows down to a rate, so that requests and calls are not late beside an import. Rows that are slower by themselves do not rest. */
export class Pace {
  private restedAt = performance.now();

  /** @param msPerRow at least. @param signal ends a rest. */
  constructor(
    private readonly msPerRow: number,
    private readonly signal?: AbortSignal,
  ) {}

  /** Waits until `rows` rows since the last rest, or since the start, have had their time. */
  async rest(rows: number): Promise<void> {
    const ms = this.restedAt + rows * this.msPerRow - performance.now();
    if (ms >= 1) await setTimeout(ms, undefined, { signal: this.signal }).catch(() => undefined);
    this.restedAt = performance.now();
  }
}
