const SLICES = 5;

/**
 * What `answer` resolves to, if it does so within `ms` milliseconds in which the process reads its sockets.
 * The time is counted in slices, and an iteration of the event loop uses up at most one of them. While the
 * process itself is busy, an answer that has arrived is not read yet, so the time does not count against the
 * other side.
 *
 * @throws Error when the time is over, or what `answer` throws.
 */
export async function withinIterations<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let settled = false;
  const timeout = new Promise<never>((_, reject) => {
    let left = SLICES;
    const slice = () => {
      // An iteration runs its timers first, then reads its sockets, then runs what `setImmediate` was given.
      timer = setTimeout(() => setImmediate(next), ms / SLICES);
    };
    const next = () => {
      left -= 1;
      if (left === 0) reject(new Error(`no answer in ${ms} ms`));
      else if (!settled) slice();
    };
    slice();
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    settled = true;
    clearTimeout(timer);
    // Either may still fail when nothing waits for it any more.
    answer.catch(() => undefined);
    timeout.catch(() => undefined);
  }
}
