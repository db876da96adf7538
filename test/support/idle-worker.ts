import { type INestApplicationContext } from '@nestjs/common';
import { type FireResult } from '../../src/calls/fire/command.js';
import { FireService } from '../../src/calls/fire/fire.service.js';
import { RedisLossService } from '../../src/calls/recovery/redis-loss.service.js';
import { SweeperService } from '../../src/calls/recovery/sweeper.service.js';
import { CallQueue } from '../../src/queue/call-queue.js';
import { eventually } from './eventually.js';

/** A worker that does nothing by itself: the test calls its services. */
export class IdleWorker {
  app!: INestApplicationContext;

  constructor(app?: INestApplicationContext) {
    if (app !== undefined) this.app = app;
  }

  fire(callRequestId: string, generation = 0): Promise<FireResult> {
    return this.app.get(FireService).fire({ callRequestId, generation });
  }

  sweep() {
    return this.app.get(SweeperService).sweep();
  }
}

/** A worker's first look at its Redis, which it does not know yet: from then on it notices what is lost. */
export async function knowsRedis(worker: INestApplicationContext): Promise<void> {
  const queue = worker.get(CallQueue, { strict: false });
  await eventually(
    () => Promise.resolve(queue.available),
    (available) => available,
  );
  await worker.get(RedisLossService).restore(new AbortController().signal);
}
