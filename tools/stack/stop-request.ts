let stopping = false;

/**
 * Resolves at the first request to stop; later ones change nothing, since npm and a terminal each send one.
 */
export const stopRequested = new Promise<undefined>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stopping = true;
      resolve(undefined);
    });
  }
});

export function isStopping(): boolean {
  return stopping;
}
