const HOUR_MS = 3_600_000;

/** A call that could not be placed is given up after this, so that nobody is called about yesterday. */
const PATIENCE_MS = 24 * HOUR_MS;
const LONGEST_LIFE_MS = 7 * 24 * HOUR_MS;

/** 24 hours after the slot, moving with it, but never later than 7 days after acceptance. */
export function expiryOf(acceptedAt: Date, runsAt: Date): Date {
  return new Date(Math.min(runsAt.getTime() + PATIENCE_MS, acceptedAt.getTime() + LONGEST_LIFE_MS));
}
