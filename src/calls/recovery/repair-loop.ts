/** The pause before a hurried run. Further requests within it are served by the same run. */
const HURRIED_PAUSE_MS = 20;

/** Runs one kind of repair again and again, with a pause after each run. Loops do not wait for each other. */
export class RepairLoop {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  private isHurried = false;

  /** @param run never rejects; ends early once its signal aborts. */
  constructor(
    private readonly run: (signal: AbortSignal) => Promise<void>,
    private readonly pauseMs: number,
  ) {
    this.schedule();
  }

  /** Lets the next run begin almost at once: instead of the pause, or after the run that is under way. */
  hurry(): void {
    if (this.isHurried) return;
    this.isHurried = true;
    if (this.isRunning) return;
    clearTimeout(this.timer);
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
    const pauseMs = this.isHurried ? Math.min(HURRIED_PAUSE_MS, this.pauseMs) : this.pauseMs;
    this.timer = setTimeout(() => {
      this.isHurried = false;
      this.isRunning = true;
      this.running = this.run(this.stopping.signal).finally(() => {
        this.isRunning = false;
        this.schedule();
      });
    }, pauseMs);
  }
}
