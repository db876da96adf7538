/** Ends what it is given to when the caller's signal does, or when nothing came for too long. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #abort = () => this.#controller.abort(this.caller?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /** @param ms 0 is no limit. */
  constructor(
    private readonly caller: AbortSignal | undefined,
    private readonly ms: number,
  ) {
    if (caller?.aborted) this.#abort();
    else caller?.addEventListener('abort', this.#abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time ran out. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits for what comes next. */
  start(): void {
    this.stop();
    if (this.ms > 0) this.#timer = setTimeout(() => this.#expire(), this.ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Stops, and forgets the caller's signal, which may outlive many requests. */
  release(): void {
    this.stop();
    this.caller?.removeEventListener('abort', this.#abort);
  }

  #expire(): void {
    this.#isOver = true;
    this.#controller.abort();
  }
}
