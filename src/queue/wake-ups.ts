/**
 * The payload of a wake-up: only ids, a generation and the name of a carrier. The generation distinguishes a
 * current wake-up from a stale one.
 */
export interface DialJob {
  callRequestId: string;
  generation: number;
  /** The id of the HTTP request that triggered the call, for the log; only for a call that is due at once. */
  requestId?: string;
  /**
   * The team for which the wake-up is ranked. In Redis, a wake-up with a delay has no team, so that a hundred
   * thousand such wake-ups fit into memory.
   */
  teamId?: string;
  /** The agent's carrier at the trigger; the firing reads it again. Left out for the default carrier. */
  carrier?: string;
}

/**
 * Wakes the campaign engine after the end of a campaign's call. Best effort: without a wake-up, the engine
 * finds the enrollment within about a second.
 */
export abstract class EngineWakeUps {
  /** Returns at once and never throws. */
  abstract wake(): void;
}

/** The payload of a wake-up of a webhook endpoint. */
export interface WebhookWakeUp {
  endpointId: string;
  teamId: string;
}

/**
 * Wakes the worker that delivers to webhook endpoints. Best effort: without a wake-up, a worker finds due
 * deliveries within seconds.
 */
export abstract class WebhookWakeUps {
  /** Returns at once and never throws. */
  abstract wake(wakeUps: WebhookWakeUp[]): void;
}
