import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { Config } from '../config/config.js';
import { PacedCarrier } from './paced-carrier.js';
import { RedisSlots } from './redis-slots.js';
import { Pacer, type Slot } from './pacer.js';

/** The {@link Pacer} whose slots are in Redis. */
@Injectable()
export class PacerService extends Pacer {
  private readonly logger = new Logger('Pacing');
  private readonly carriers: ReadonlyMap<string, PacedCarrier>;

  constructor(redis: Redis, config: Config, registry: CarrierRegistry) {
    super();
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

  async approach(carrier: string): Promise<Slot> {
    const paced = this.of(carrier);
    const slot = await paced.take();
    await paced.approach(slot);
    return slot;
  }

  arrive(carrier: string, slot: Slot, deadline: number): Promise<Slot | null> {
    return this.of(carrier).arrive(slot, deadline);
  }

  async dialed(carrier: string, slot: Slot): Promise<void> {
    if (await this.of(carrier).dialed(slot)) return;
    this.logger.warn(`a dial of ${carrier} was late: its limit may be exceeded by one call in one second`);
  }

  release(carrier: string, slot: Slot): void {
    this.of(carrier).release(slot);
  }

  stop(): void {
    for (const carrier of this.carriers.values()) carrier.stop();
  }

  private of(carrier: string): PacedCarrier {
    const paced = this.carriers.get(carrier);
    if (paced === undefined) throw new Error(`carrier ${carrier} is not paced`);
    return paced;
  }
}
