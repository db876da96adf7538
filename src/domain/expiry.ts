const HOUR_MS = 3_600_000;

/** A call that could not be placed is given up this long after its slot. */
const PATIENCE_MS = 24 * HOUR_MS;
/** A call is moved no further than this from its acceptance; see {@link mayMoveTo}. */
const LONGEST_WAIT_MS = 7 * 24 * HOUR_MS;

/** When a call is given up: 24 hours after its slot; of an immediate call, after its acceptance. */
export function expiryOf(runsAt: Date): Date {
  return new Date(runsAt.getTime() + PATIENCE_MS);
}

/**
 * Whether a pending call may be moved to another slot. The slot that was promised at acceptance may be however far away;
 * a later one is too late where it is both more than 7 days after acceptance and after the promised slot's expiry.
 */
export function mayMoveTo(runsAt: Date, call: { acceptedAt: Date; firstRunsAt: Date }): boolean {
  const withinAWeek = runsAt.getTime() <= call.acceptedAt.getTime() + LONGEST_WAIT_MS;
  return withinAWeek || runsAt <= expiryOf(call.firstRunsAt);
}
