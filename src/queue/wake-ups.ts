/**
 * The payload of a wake-up: ids and names of carriers only. `generation` distinguishes a current wake-up from
 * a stale one.
 */
export interface DialJob {
  callRequestId: string;
  generation: number;
  /** The id of the HTTP request that triggered the call, for the log; only for a call that is due at once. */
  requestId?: string;
  /**
   * The team that it is ranked for. A wake-up with a delay leaves it out, because a hundred thousand of them
   * must fit into Redis.
   */
  teamId?: string;
  /** The agent's carrier at the trigger; the firing reads it again. Left out for the default one. */
  carrier?: string;
}

/** Wake-ups of calls, best effort and bounded in time; never throws. `CallQueue` keeps them in Redis. */
export abstract class WakeUps {
  /** Adds the wake-up of a call, due in `delayMs`. False when it could not be confirmed. */
  abstract wake(job: DialJob, delayMs?: number): Promise<boolean>;

  /** Adds many wake-ups that are due now. */
  abstract wakeAll(jobs: DialJob[]): Promise<void>;

  /**
   * Puts a wake-up that is due into the queue of its carrier, where it waits for a pacing slot. False when it
   * could not be confirmed.
   *
   * @param rank of the job in the queue that it leaves. A job that names no team keeps it; others are ranked
   *   again.
   */
  abstract moveToCarrierQueue(job: DialJob, carrier: string, rank: number): Promise<boolean>;
}

/**
 * Wakes the campaign engine after the end of a campaign's call. Best effort: the engine finds the enrollment
 * within a second anyway.
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
 * Wakes the worker that delivers to webhook endpoints. Best effort: a worker finds due deliveries within
 * seconds anyway.
 */
export abstract class WebhookWakeUps {
  /** Returns at once and never throws. */
  abstract wake(wakeUps: WebhookWakeUp[]): void;
}
