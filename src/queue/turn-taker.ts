import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { TAKE_TURNS } from './take-turn.lua.js';

/** Turns of a slot are counted until this long after it. */
const KEPT_AFTER_SLOT_MS = 3_600_000;
/** Slots are told apart by the minute; a clock that is a little off must not make two of one. */
const SLOT_MS = 60_000;

/** So many jobs of one second become due in each millisecond from their slot on. */
const RELEASED_A_MS = 3;

/** Within this they all do: where there are more than fit into it, they are the denser. */
export const SPREAD_OVER_MS = 60_000;

interface Wanted {
  teamId: string;
  /** How far off the slot is; 0: due now. */
  delayMs: number;
}

/** @see TAKE_TURNS */
export interface QueueTurn {
  priority: number;
  place: number;
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
  async take(queue: Queue, wanted: Wanted[]): Promise<QueueTurn[]> {
    const turns = queue.toKey('turns');
    const keys = [queue.toKey('prioritized'), turns];
    const values: (string | number)[] = [];
    for (const { teamId, delayMs } of wanted) {
      const later = delayMs > 0;
      const at = Date.now() + delayMs;
      keys.push(later ? `${turns}-${Math.round(at / SLOT_MS)}` : turns);
      values.push(teamId, later ? Math.ceil(delayMs) + KEPT_AFTER_SLOT_MS : 0, Math.round(at / 1_000));
    }
    const answer = await this.redis.outdialTakeTurns(keys.length, ...keys, ...values);
    return wanted.map((_, job) => ({ priority: answer[2 * job] ?? 1, place: answer[2 * job + 1] ?? 1 }));
  }
}

/**
 * How long after its slot a job becomes due, so that a hundred thousand of one instant do not keep Redis from everybody
 * else for seconds: it takes thirty microseconds for each, a thousand at a time and once for every worker that asks. Two
 * workers take jobs four times more slowly than this lets them come. Where clocks make two seconds of an instant, they come twice as fast.
 *
 * @returns milliseconds
 */
export function spreadMs(place: number): number {
  return ((place - 1) / RELEASED_A_MS) % SPREAD_OVER_MS;
}
