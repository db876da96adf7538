import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { Config } from '../config/config.js';
import { describeError } from '../http/describe-error.js';
import { PacedCarrier } from './paced-carrier.js';
import { type Slot } from './slot.js';
import { TAKE_SLOTS } from './take-slots.lua.js';

/** How far ahead a worker may hold slots. */
const HORIZON_MS = 1_000;
/** Pause before Redis is asked again after it failed: what cannot be paced is not dialed. */
const RETRY_MS = 250;

type Scripted = Redis & {
  outdialTakeSlots(
    key: string,
    intervalUs: number,
    wanted: number,
    horizonUs: number,
  ): Promise<[number, number]>;
};

/**
 * Keeps each carrier's calls a second, in all workers together: who wants to dial asks for a slot before the claim, and
 * dials in it.
 */
@Injectable()
export class Pacer {
  private readonly logger = new Logger(Pacer.name);
  private readonly redis: Scripted;
  private readonly carriers: ReadonlyMap<string, PacedCarrier>;

  constructor(redis: Redis, config: Config, registry: CarrierRegistry) {
    redis.defineCommand('outdialTakeSlots', { numberOfKeys: 1, lua: TAKE_SLOTS });
    this.redis = redis as Scripted;
    this.carriers = new Map(
      registry.paced.map(({ name, callsPerSecond }) => {
        const key = `${config.redisPrefix}:slots:${name}`;
        return [name, new PacedCarrier(callsPerSecond, (...asked) => this.ask(key, ...asked))];
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
   * Waits for the very instant of the dial: the slot's, or where the claim took too long that of a later one.
   *
   * @param deadline by `performance.now()`, after which no dial may begin.
   * @returns whether the dial may begin now.
   */
  arrive(carrier: string, slot: Slot, deadline: number): Promise<boolean> {
    return this.of(carrier).arrive(slot, deadline);
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

  /** Slots in milliseconds from now; none and a pause where there are none yet or Redis does not answer. */
  private async ask(key: string, intervalMs: number, wanted: number): Promise<[number, number]> {
    try {
      if (this.redis.status !== 'ready') return [0, RETRY_MS];
      const [count, us] = await this.redis.outdialTakeSlots(
        key,
        intervalMs * 1_000,
        wanted,
        HORIZON_MS * 1_000,
      );
      return [count, us / 1_000];
    } catch (error) {
      this.logger.warn(`no slots from Redis: ${describeError(error)}`);
      return [0, RETRY_MS];
    }
  }
}
