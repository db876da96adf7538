/** The instants by `performance.now()` between which one dial may begin. */
export interface Slot {
  readonly earliest: number;
  readonly latest: number;
}

/** The process ends; the wake-up is left to others. */
export class PacingStoppedError extends Error {
  override name = 'PacingStoppedError';
}
