/** Runs one kind of repair ever again, with a pause after each run. Loops do not wait for each other. */
export class RepairLoop {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  /** @param run never rejects; ends early once its signal aborts. */
  constructor(
    private readonly run: (signal: AbortSignal) => Promise<void>,
    private readonly pauseMs: number,
  ) {
    this.schedule();
  }

  /** Waits for the run that is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.run(this.stopping.signal).finally(() => this.schedule());
    }, this.pauseMs);
  }
}
