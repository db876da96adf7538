import { type CarrierEvent } from '../carrier.js';

/** How often and how long the delivery of an event is attempted. */
export interface EventDeliveryOptions {
  attempts?: number;
  /** The pause before the second attempt; the pause doubles after each further attempt. */
  backoffMs?: number;
  /** How long `close` waits for deliveries under way. */
  closeMs?: number;
  /** Called after the last failed attempt. `findCall` can still return the event, if the call is listed. */
  onGiveUp?: (event: CarrierEvent, error: unknown) => void;
}

/**
 * Delivers the events of each call in order. Repeats a failed attempt, and gives up after a few attempts. An
 * event may arrive twice. Never rejects.
 */
export class EventDelivery {
  private readonly attempts: number;
  private readonly backoffMs: number;
  private readonly closeMs: number;
  private readonly tails = new Map<string, Promise<void>>();
  private readonly pauses = new Map<NodeJS.Timeout, () => void>();
  private closed = false;

  constructor(
    private readonly send: (event: CarrierEvent) => Promise<void>,
    private readonly options: EventDeliveryOptions = {},
  ) {
    this.attempts = options.attempts ?? 6;
    this.backoffMs = options.backoffMs ?? 200;
    this.closeMs = options.closeMs ?? 2_000;
  }

  deliver(event: CarrierEvent): void {
    const key = event.carrierCallId ?? event.callRequestId;
    const tail = (this.tails.get(key) ?? Promise.resolve())
      .then(() => this.attempt(event))
      .finally(() => {
        if (this.tails.get(key) === tail) this.tails.delete(key);
      });
    this.tails.set(key, tail);
  }

  /**
   * Waits briefly for deliveries under way. A delivery that pauses between two attempts makes its last
   * attempt at once.
   */
  async close(): Promise<void> {
    this.closed = true;
    for (const [timer, resume] of this.pauses) {
      clearTimeout(timer);
      resume();
    }
    this.pauses.clear();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.closeMs);
    });
    await Promise.race([Promise.all(this.tails.values()), patience]);
    clearTimeout(timer);
  }

  private async attempt(event: CarrierEvent): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const last = this.closed || attempt >= this.attempts;
      try {
        return await this.send(event);
      } catch (error) {
        if (last) return this.giveUp(event, error);
      }
      await this.pause(this.backoffMs * 2 ** (attempt - 1));
    }
  }

  private pause(ms: number): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.pauses.delete(timer);
        resolve();
      }, ms);
      this.pauses.set(timer, resolve);
    });
  }

  private giveUp(event: CarrierEvent, error: unknown): void {
    try {
      this.options.onGiveUp?.(event, error);
    } catch {
      // A failing log must not become an unhandled rejection.
    }
  }
}
