import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { Config } from '../config/config.js';
import { PacedCarrier } from './paced-carrier.js';
import { RedisSlots } from './redis-slots.js';
import { type Slot } from './slot.js';

/**
 * Keeps each carrier's calls a second, in all workers together: who wants to dial asks for a slot before the claim, and
 * dials in it.
 */
@Injectable()
export class Pacer {
  private readonly logger = new Logger('Pacing');
  private readonly carriers: ReadonlyMap<string, PacedCarrier>;

  constructor(redis: Redis, config: Config, registry: CarrierRegistry) {
    this.carriers = new Map(
      registry.paced.map(({ name, callsPerSecond }) => {
        const slots = new RedisSlots(redis, `${config.redisPrefix}:slots:${name}`, callsPerSecond);
        return [name, new PacedCarrier(callsPerSecond, slots)];
      }),
    );
  }

  paces(carrier: string): boolean {
    return this.carriers.has(carrier);
  }

  /**
   * Waits for a slot with the carrier and until it is time to begin with what has to be done before the dial.
   *
   * @throws PacingStoppedError once {@link stop} was called.
   */
  async approach(carrier: string): Promise<Slot> {
    const paced = this.of(carrier);
    const slot = await paced.take();
    await paced.approach(slot);
    return slot;
  }

  /**
   * Waits for the very instant of the dial: the slot's, or where the claim took too long a later one.
   *
   * @param deadline by `performance.now()`, after which no dial may begin.
   * @returns the slot in which the dial may begin now; null when there is none in time.
   */
  arrive(carrier: string, slot: Slot, deadline: number): Promise<Slot | null> {
    return this.of(carrier).arrive(slot, deadline);
  }

  /** To be told as soon as the dial has begun in its slot. */
  async dialed(carrier: string, slot: Slot): Promise<void> {
    if (await this.of(carrier).dialed(slot)) return;
    this.logger.warn(`a dial of ${carrier} came late: one call too many within a second, maybe`);
  }

  /** What was not dialed leaves its slot to another call of this process. */
  giveBack(carrier: string, slot: Slot): void {
    this.of(carrier).giveBack(slot);
  }

  /** Nobody who has not claimed a call gets a slot any more. */
  stop(): void {
    for (const carrier of this.carriers.values()) carrier.stop();
  }

  private of(carrier: string): PacedCarrier {
    const paced = this.carriers.get(carrier);
    if (paced === undefined) throw new Error(`carrier ${carrier} is not paced`);
    return paced;
  }
}
