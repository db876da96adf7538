/**
 * Collects what is known between two reads that give the same events. A look-up can end a call at any time.
 * If it does so between the read of the feeds and that of the calls, a call has an end that no event tells.
 *
 * @param read reads all events, and returns how many were read so far. @param patienceMs for how long `collect`
 * is repeated.
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
