const SLICES = 5;

/**
 * Returns the value of `answer` if it arrives within `ms` milliseconds. The time in which the process is busy
 * hardly counts, because a busy process does not read an answer that has arrived. The time is therefore
 * counted in slices, and an iteration of the event loop uses up at most one slice.
 *
 * @throws Error when the time is over, or what `answer` throws.
 */
export async function withinIterations<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let settled = false;
  const timeout = new Promise<never>((_, reject) => {
    let left = SLICES;
    const slice = () => {
      // An iteration runs its timers first, then reads its sockets, then runs the callbacks of
      // `setImmediate`.
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
    // Either promise may still reject when nothing waits for it any more.
    answer.catch(() => undefined);
    timeout.catch(() => undefined);
  }
}
