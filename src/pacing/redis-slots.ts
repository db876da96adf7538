import { Logger } from '@nestjs/common';
import { type Redis } from 'ioredis';
import { describeError } from '../telemetry/describe-error.js';
import { type SlotSource, type TakenSlot, TOLERANCE_MS } from './slot.js';
import { DIAL_LATE, TAKE_SLOTS } from './take-slots.lua.js';

/** How far ahead slots are taken. A dial may be late by almost the rest of a second. */
export const HORIZON_MS = 500;
/** Pause after Redis failed. Until it answers again, no call is dialed. */
const RETRY_MS = 250;

/** A dial begins within the tolerance, and the next dial of the lane at least a second later. */
const REST_US = (1_000 + TOLERANCE_MS) * 1_000;

type Scripted = Redis & {
  outdialTakeSlots(key: string, ...us: number[]): Promise<number[]>;
  outdialDialLate(key: string, slot: number, lanes: number, restUs: number): Promise<number>;
};

/** One carrier's slots in Redis, shared by all workers. */
export class RedisSlots implements SlotSource {
  private readonly logger = new Logger('Pacing');
  private readonly redis: Scripted;

  constructor(
    redis: Redis,
    private readonly key: string,
    private readonly callsPerSecond: number,
  ) {
    redis.defineCommand('outdialTakeSlots', { numberOfKeys: 1, lua: TAKE_SLOTS });
    redis.defineCommand('outdialDialLate', { numberOfKeys: 1, lua: DIAL_LATE });
    this.redis = redis as Scripted;
  }

  async take(intervalMs: number, wanted: number): Promise<TakenSlot[] | { againMs: number }> {
    const us = [intervalMs * 1_000, wanted, HORIZON_MS * 1_000, this.callsPerSecond, REST_US];
    const answer = await this.answered(() => this.redis.outdialTakeSlots(this.key, ...us));
    if (answer === undefined) return { againMs: RETRY_MS };
    const slots: TakenSlot[] = [];
    for (let at = 0; at + 1 < answer.length; at += 2) {
      slots.push({ number: answer[at] ?? 0, ms: (answer[at + 1] ?? 0) / 1_000 });
    }
    const [first] = slots;
    return first === undefined || first.number < 0 ? { againMs: first?.ms ?? RETRY_MS } : slots;
  }

  async dialLate(slot: number, withinMs: number): Promise<boolean> {
    const restUs = (1_000 + withinMs) * 1_000;
    const answer = await this.answered(() =>
      this.redis.outdialDialLate(this.key, slot, this.callsPerSecond, restUs),
    );
    return answer === 1;
  }

  private async answered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.redis.status !== 'ready') return undefined;
    try {
      return await ask();
    } catch (error) {
      this.logger.warn(`no slots from Redis: ${describeError(error)}`);
      return undefined;
    }
  }
}
