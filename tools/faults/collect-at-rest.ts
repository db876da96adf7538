/**
 * Repeats `collect` until the reads before and after it return the same number of events. A look-up can end a
 * call at any time. If it ends a call after the feeds were read, the collected call has an end, and the
 * collected events do not.
 *
 * @param read reads all events, and returns how many it has read so far. @param patienceMs limits the time of
 * the repetitions.
 */
export async function collectAtRest<Collected>(
  read: () => Promise<number>,
  collect: () => Promise<Collected>,
  patienceMs: number,
): Promise<Collected> {
  const deadline = Date.now() + patienceMs;
  let before = await read();
  for (;;) {
    const collected = await collect();
    const after = await read();
    if (after === before || Date.now() > deadline) return collected;
    before = after;
  }
}
