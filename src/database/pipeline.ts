/** Waits for all of them, so that none is left behind in the pipeline. `before` is what they rest upon. */
export async function allOf<T>(before: Promise<unknown>, promises: Promise<T>[]): Promise<T[]> {
  const [[began], settled] = await Promise.all([Promise.allSettled([before]), Promise.allSettled(promises)]);
  if (began?.status === 'rejected') throw began.reason;
  return valuesOf(settled);
}

/** Throws the first failure in order: in a pipeline the later ones only echo it. */
function valuesOf<T>(settled: PromiseSettledResult<T>[]): T[] {
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
