import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { TAKE_TURN } from './take-turn.lua.js';

/** Turns of a slot are counted until this long after it. */
const KEPT_AFTER_SLOT_MS = 3_600_000;
/** Slots are told apart by the minute; a clock that is a little off must not make two of one. */
const SLOT_MS = 60_000;

interface Wanted {
  teamId: string;
  /** How far off the slot is; 0: due now. */
  delayMs: number;
}

type Scripted = ReturnType<Redis['pipeline']> & {
  outdialTakeTurn(waiting: string, turns: string, team: string, keptMs: number): unknown;
};

/** Asks Redis for the turns of new jobs, all in one round trip. */
export class TurnTaker {
  constructor(private readonly redis: Redis) {
    redis.defineCommand('outdialTakeTurn', { numberOfKeys: 2, lua: TAKE_TURN });
  }

  /** @throws Redis' error. */
  async take(queue: Queue, wanted: Wanted[]): Promise<number[]> {
    const pipeline = this.redis.pipeline() as Scripted;
    for (const { teamId, delayMs } of wanted) {
      const later = delayMs > 0;
      const slot = later ? `-${Math.round((Date.now() + delayMs) / SLOT_MS)}` : '';
      pipeline.outdialTakeTurn(
        queue.toKey('prioritized'),
        queue.toKey(`turns${slot}`),
        teamId,
        later ? Math.ceil(delayMs) + KEPT_AFTER_SLOT_MS : 0,
      );
    }
    const answers = (await pipeline.exec()) ?? [];
    return answers.map(([error, turn]) => {
      if (error) throw error;
      return Number(turn);
    });
  }
}
