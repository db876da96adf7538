const HOUR_MS = 3_600_000;

/** A pending call expires this long after it is due. */
const PATIENCE_MS = 24 * HOUR_MS;
/** The time after acceptance within which a call may be rescheduled; see {@link mayReschedule}. */
const LONGEST_WAIT_MS = 7 * 24 * HOUR_MS;

/**
 * The expiry: 24 hours after the call is due, or its `notAfter` if that is earlier. An immediate call is due at its
 * acceptance.
 */
export function expiryOf(runsAt: Date, notAfter: Date | null = null): Date {
  const expiry = runsAt.getTime() + PATIENCE_MS;
  return new Date(Math.min(expiry, notAfter?.getTime() ?? expiry));
}

/**
 * Whether a pending call may be rescheduled to the opening `runsAt`. The first opening, which was computed at
 * acceptance, can be any number of days later. Another opening is too late if it is both more than 7 days
 * after acceptance and after the first opening's expiry, or if it is not before `notAfter`.
 */
export function mayReschedule(
  runsAt: Date,
  call: { acceptedAt: Date; firstRunsAt: Date; notAfter: Date | null },
): boolean {
  if (call.notAfter !== null && runsAt >= call.notAfter) return false;
  const withinAWeek = runsAt.getTime() <= call.acceptedAt.getTime() + LONGEST_WAIT_MS;
  return withinAWeek || runsAt <= expiryOf(call.firstRunsAt);
}
