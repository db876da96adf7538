/**
 * Asks again until the answer is as wanted, without a fixed sleep; fails with the last answer.
 *
 * @param withinMs gives up after this; by default so late that a machine five times slower than usual passes.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const begunAt = Date.now();
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    const elapsedMs = Date.now() - begunAt;
    if (elapsedMs > withinMs)
      throw new Error(`Still not as wanted after ${withinMs} ms: ${JSON.stringify(answer)}`);
    // What takes long is asked for less often: asking takes the processor from what is awaited.
    await new Promise((resolve) => setTimeout(resolve, Math.min(80, 20 + elapsedMs / 10)));
  }
}
