import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { Config } from '../config/config.js';
import { PacedCarrier } from './paced-carrier.js';
import { RedisPacingSlots } from './redis-slots.js';
import { Pacer, type PacingSlot } from './pacer.js';

/** The {@link Pacer} whose pacing slots are in Redis. */
@Injectable()
export class PacerService extends Pacer {
  private readonly logger = new Logger('Pacing');
  private readonly carriers: ReadonlyMap<string, PacedCarrier>;

  constructor(
    redis: Redis,
    private readonly config: Config,
    registry: CarrierRegistry,
  ) {
    super();
    this.carriers = new Map(
      registry.paced.map(({ name, callsPerSecond }) => {
        const source = new RedisPacingSlots(redis, `${config.redisPrefix}:slots:${name}`, callsPerSecond);
        return [name, new PacedCarrier(callsPerSecond, source)];
      }),
    );
  }

  get pacesAny(): boolean {
    return this.carriers.size > 0;
  }

  paces(carrier: string): boolean {
    return this.carriers.has(carrier);
  }

  dialsAtATime(carrier: string): number {
    return Math.min(this.config.workerConcurrency, 2 * this.of(carrier).callsPerSecond + 2);
  }

  take(carrier: string): Promise<PacingSlot> {
    return this.of(carrier).take();
  }

  approach(carrier: string, pacingSlot: PacingSlot): Promise<void> {
    return this.of(carrier).approach(pacingSlot);
  }

  arrive(carrier: string, pacingSlot: PacingSlot, deadline: number): Promise<PacingSlot | null> {
    return this.of(carrier).arrive(pacingSlot, deadline);
  }

  async dialed(carrier: string, pacingSlot: PacingSlot): Promise<void> {
    if (await this.of(carrier).dialed(pacingSlot)) return;
    this.logger.warn(`a dial of ${carrier} was late: the limit may be exceeded by one call in one second`);
  }

  release(carrier: string, pacingSlot: PacingSlot): void {
    this.of(carrier).release(pacingSlot);
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
