const SLICES = 5;

/**
 * What `answer` resolves to, if it does so in `ms` milliseconds of a process that listens. The time is counted in slices,
 * of which a turn of the event loop uses up one at most: while the process itself is busy, an answer that arrived lies
 * unread, and the other side is not slow for that.
 *
 * @throws Error when the time is over, or what `answer` throws.
 */
export async function withinTurns<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let settled = false;
  const timeout = new Promise<never>((_, reject) => {
    let left = SLICES;
    const slice = () => {
      // After the timers of a turn come its sockets, then what `setImmediate` was given.
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
