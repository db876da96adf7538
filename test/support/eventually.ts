/**
 * Asks again until the answer is as wanted, without a fixed sleep; fails with the last answer.
 *
 * @param withinMs gives up after this; by default so late that a machine five times slower than usual passes.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > deadline)
      throw new Error(`Still not as wanted after ${withinMs} ms: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
