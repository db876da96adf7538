import { setTimeout as pause } from 'node:timers/promises';
import { type Pacer, type PacingSlot, PacingStoppedError } from '../../pacing/pacer.js';

/** The longest wait for a pacing slot, in milliseconds. A lane has a slot every second. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Takes a pacing slot, and waits until shortly before it. While Redis does not answer, there is none; the
 * engine must then serve the other teams, and must be able to stop.
 *
 * @returns null if there is no slot within two seconds, when `signal` aborts, and when the process stops.
 * @throws what {@link Pacer.approach} throws otherwise.
 */
export async function approachWithin(
  pacer: Pick<Pacer, 'approach' | 'release'>,
  carrier: string,
  signal: AbortSignal,
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<PacingSlot | null> {
  if (signal.aborted) return null;
  const taken = pacer.approach(carrier).catch((error: unknown) => {
    if (error instanceof PacingStoppedError) return null;
    throw error;
  });
  const settled = new AbortController();
  const onAbort = () => settled.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  const given = pause(longestWaitMs, null, { signal: settled.signal }).catch(() => null);
  const pacingSlot = await Promise.race([taken, given]).finally(() => {
    signal.removeEventListener('abort', onAbort);
    settled.abort();
  });
  if (pacingSlot === null) {
    // A slot that comes later is for another call of this process.
    void taken.then(
      (late) => late !== null && pacer.release(carrier, late),
      () => undefined,
    );
  }
  return pacingSlot;
}
