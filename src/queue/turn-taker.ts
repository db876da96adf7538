import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { TAKE_TURNS } from './take-turn.lua.js';

/** Turns of a slot are counted until this long after it. */
const KEPT_AFTER_SLOT_MS = 3_600_000;
/** Slots are told apart by the minute; a clock that is a little off must not make two of one. */
const SLOT_MS = 60_000;

interface Wanted {
  teamId: string;
  /** How far off the slot is; 0: due now. */
  delayMs: number;
}

type Scripted = Redis & {
  outdialTakeTurns(keys: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
};

/** Asks Redis for the turns of new jobs, all in one command. */
export class TurnTaker {
  private readonly redis: Scripted;

  constructor(redis: Redis) {
    redis.defineCommand('outdialTakeTurns', { lua: TAKE_TURNS });
    this.redis = redis as Scripted;
  }

  /** @throws Redis' error. */
  async take(queue: Queue, wanted: Wanted[]): Promise<number[]> {
    const turns = queue.toKey('turns');
    const keys = [queue.toKey('prioritized'), turns];
    const values: (string | number)[] = [];
    for (const { teamId, delayMs } of wanted) {
      const later = delayMs > 0;
      keys.push(later ? `${turns}-${Math.round((Date.now() + delayMs) / SLOT_MS)}` : turns);
      values.push(teamId, later ? Math.ceil(delayMs) + KEPT_AFTER_SLOT_MS : 0);
    }
    return this.redis.outdialTakeTurns(keys.length, ...keys, ...values);
  }
}
