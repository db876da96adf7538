import { type Redis } from 'ioredis';

const EVERY_MS = 5;
/** A timer and an answer of Redis take less where nothing else wants the processor. */
const USUAL_MS = 15;

/**
 * Measures for how long this process and Redis were kept from working by whatever else the machine does, so that a bound
 * on time need not allow for it in advance.
 *
 * @returns ends it, and gives the milliseconds.
 */
export function watchStalls(redis: Redis): () => Promise<number> {
  let watching = true;
  let stalledMs = 0;
  const watch = async () => {
    while (watching) {
      const before = performance.now();
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      await redis.ping();
      stalledMs += Math.max(0, performance.now() - before - USUAL_MS);
    }
  };
  const ended = watch();
  return async () => {
    watching = false;
    await ended;
    return stalledMs;
  };
}
