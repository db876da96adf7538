import { Logger } from '@nestjs/common';
import { type Redis } from 'ioredis';
import { describeError } from '../telemetry/describe-error.js';
import { type PacingSlotSource, type TakenPacingSlot, TOLERANCE_MS } from './slot.js';
import { DIAL_LATE, TAKE_PACING_SLOTS } from './take-slots.lua.js';

/**
 * How far ahead pacing slots are taken. A dial can be late by about 500 ms before a worker can take the
 * lane's next pacing slot.
 */
export const HORIZON_MS = 500;
/** The pause after Redis failed to answer. Until Redis answers, this worker takes no pacing slots. */
const RETRY_MS = 250;

/**
 * How long a lane rests after a postponed pacing slot. The dial in this slot begins within the tolerance, and
 * the lane's next dial begins at least a second after it.
 */
const REST_US = (1_000 + TOLERANCE_MS) * 1_000;

type Scripted = Redis & {
  outdialTakePacingSlots(key: string, ...us: number[]): Promise<number[]>;
  outdialDialLate(key: string, pacingSlot: number, lanes: number, restUs: number): Promise<number>;
};

/** One carrier's pacing slots in Redis, shared by all workers. */
export class RedisPacingSlots implements PacingSlotSource {
  private readonly logger = new Logger('Pacing');
  private readonly redis: Scripted;

  constructor(
    redis: Redis,
    private readonly key: string,
    private readonly callsPerSecond: number,
  ) {
    redis.defineCommand('outdialTakePacingSlots', { numberOfKeys: 1, lua: TAKE_PACING_SLOTS });
    redis.defineCommand('outdialDialLate', { numberOfKeys: 1, lua: DIAL_LATE });
    this.redis = redis as Scripted;
  }

  async take(intervalMs: number, wanted: number): Promise<TakenPacingSlot[] | { againMs: number }> {
    const us = [intervalMs * 1_000, wanted, HORIZON_MS * 1_000, this.callsPerSecond, REST_US];
    const answer = await this.answered(() => this.redis.outdialTakePacingSlots(this.key, ...us));
    if (answer === undefined) return { againMs: RETRY_MS };
    const pacingSlots: TakenPacingSlot[] = [];
    for (let at = 0; at + 1 < answer.length; at += 2) {
      pacingSlots.push({ number: answer[at] ?? 0, ms: (answer[at + 1] ?? 0) / 1_000 });
    }
    const [first] = pacingSlots;
    return first === undefined || first.number < 0 ? { againMs: first?.ms ?? RETRY_MS } : pacingSlots;
  }

  async dialLate(pacingSlot: number, withinMs: number): Promise<boolean> {
    const restUs = (1_000 + withinMs) * 1_000;
    const answer = await this.answered(() =>
      this.redis.outdialDialLate(this.key, pacingSlot, this.callsPerSecond, restUs),
    );
    return answer === 1;
  }

  private async answered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.redis.status !== 'ready') return undefined;
    try {
      return await ask();
    } catch (error) {
      this.logger.warn(`no pacing slots from Redis: ${describeError(error)}`);
      return undefined;
    }
  }
}
