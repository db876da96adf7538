/** The result of a check: `silent` when it took too long. */
export type Outcome<T> = { kind: 'ok'; value: T } | { kind: 'failed'; error: unknown } | { kind: 'silent' };

/**
 * A check behind an open route: it runs once at a time, its result is reused for a while,
 * and each request is answered in bounded time, however long the server behind it hangs.
 */
export class Probe<T> {
  private running: Promise<Outcome<T>> | undefined;
  private last: { outcome: Outcome<T>; at: number } | undefined;

  constructor(
    private readonly check: () => Promise<T>,
    private readonly limits: { timeoutMs: number; maxAgeMs: number },
  ) {}

  async ask(): Promise<Outcome<T>> {
    const { timeoutMs, maxAgeMs } = this.limits;
    if (this.last && performance.now() - this.last.at < maxAgeMs) return this.last.outcome;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<Outcome<T>>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'silent' }), timeoutMs);
    });
    try {
      return await Promise.race([this.running, silence]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async run(): Promise<Outcome<T>> {
    let outcome: Outcome<T>;
    try {
      outcome = { kind: 'ok', value: await this.check() };
    } catch (error) {
      outcome = { kind: 'failed', error };
    }
    this.last = { outcome, at: performance.now() };
    return outcome;
  }
}
