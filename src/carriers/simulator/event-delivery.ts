import { type CarrierEvent } from '../carrier.js';

/** How often and how long delivery of an event is tried. */
export interface EventDeliveryOptions {
  attempts?: number;
  /** The pause before the second attempt; it doubles with each further one. */
  backoffMs?: number;
  /** How long `close` waits for what is still under way. */
  closeMs?: number;
  /** Called when the delivery of an event was given up; `findCall` still returns its content. */
  onGiveUp?: (event: CarrierEvent, error: unknown) => void;
}

/** Delivers events at least once, a call's own in order, and gives up after a few attempts. Never rejects. */
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
   * Waits briefly for deliveries under way; those that are between two attempts get their last one at once.
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
