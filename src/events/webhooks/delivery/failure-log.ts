/** An endpoint is logged at most once in this time, in milliseconds. */
export const LOG_PAUSE_MS = 60_000;

/** At most this many endpoints are remembered. Beyond it, those that were logged first are logged again early. */
const MAX_ENDPOINTS = 10_000;

interface Logged {
  at: number;
  /** Failed attempts that were not logged since then. */
  silent: number;
}

/**
 * Decides which failed attempts are logged: of each endpoint, the first one, and then at most one a minute. An
 * endpoint that fails every attempt would otherwise fill the log.
 */
export class FailureLog {
  /** In the order in which the endpoints were logged. */
  private readonly endpoints = new Map<string, Logged>();

  /**
   * Notes a failed attempt.
   *
   * @param now in milliseconds.
   * @returns how many attempts have failed since the last line of the endpoint, this one included; null if this
   *   attempt is not to be logged.
   */
  failed(endpointId: string, now = performance.now()): number | null {
    const logged = this.endpoints.get(endpointId);
    if (logged !== undefined && now - logged.at < LOG_PAUSE_MS) {
      logged.silent += 1;
      return null;
    }
    this.endpoints.delete(endpointId);
    this.endpoints.set(endpointId, { at: now, silent: 0 });
    const [first] = this.endpoints.keys();
    if (this.endpoints.size > MAX_ENDPOINTS && first !== undefined) this.endpoints.delete(first);
    return (logged?.silent ?? 0) + 1;
  }
}
