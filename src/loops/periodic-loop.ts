/** In milliseconds. */
const REQUESTED_PAUSE_MS = 20;

/** Runs a task again and again, with a pause after each run. Loops do not wait for each other. */
export class PeriodicLoop {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  private isRequested = false;

  /**
   * @param run never rejects; ends early once its signal aborts.
   * @param requestedPauseMs the pause before a requested run. One run serves all requests of this pause.
   */
  constructor(
    private readonly run: (signal: AbortSignal) => Promise<void>,
    private readonly pauseMs: number,
    private readonly requestedPauseMs = REQUESTED_PAUSE_MS,
  ) {
    this.schedule();
  }

  /**
   * Requests a run, which begins almost at once. If a run is in progress, the requested run begins after it.
   */
  runSoon(): void {
    if (this.isRequested) return;
    this.isRequested = true;
    if (this.isRunning) return;
    clearTimeout(this.timer);
    this.schedule();
  }

  /** Starts no further run, and waits for the run that is in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(): void {
    if (this.stopping.signal.aborted) return;
    const pauseMs = this.isRequested ? Math.min(this.requestedPauseMs, this.pauseMs) : this.pauseMs;
    this.timer = setTimeout(() => {
      this.isRequested = false;
      this.isRunning = true;
      this.running = this.run(this.stopping.signal).finally(() => {
        this.isRunning = false;
        this.schedule();
      });
    }, pauseMs);
  }
}
