/** The result of a check: `silent` when it took too long. */
export type ProbeResult<T> =
  { kind: 'ok'; value: T } | { kind: 'failed'; error: unknown } | { kind: 'silent' };

/**
 * A check for a route without authentication. At most one run is in progress, and its result is reused for
 * `maxAgeMs`. Each request is answered within `timeoutMs`, however long the checked server hangs.
 */
export class Probe<T> {
  private running: Promise<ProbeResult<T>> | undefined;
  private last: { result: ProbeResult<T>; at: number } | undefined;

  constructor(
    private readonly check: () => Promise<T>,
    private readonly limits: { timeoutMs: number; maxAgeMs: number },
  ) {}

  async ask(): Promise<ProbeResult<T>> {
    const { timeoutMs, maxAgeMs } = this.limits;
    if (this.last && performance.now() - this.last.at < maxAgeMs) return this.last.result;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<ProbeResult<T>>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'silent' }), timeoutMs);
    });
    try {
      return await Promise.race([this.running, silence]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async run(): Promise<ProbeResult<T>> {
    let result: ProbeResult<T>;
    try {
      result = { kind: 'ok', value: await this.check() };
    } catch (error) {
      result = { kind: 'failed', error };
    }
    this.last = { result, at: performance.now() };
    return result;
  }
}
