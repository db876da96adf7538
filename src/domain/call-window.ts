/** When a triggered call may be made. An absent bound is null. */
export interface CallWindow {
  notBefore: Date | null;
  notAfter: Date | null;
}

export const ANY_TIME: CallWindow = { notBefore: null, notAfter: null };

const HOUR_MS = 3_600_000;

/** How far ahead a call can be scheduled, in days. */
export const DAYS_AHEAD = 90;

/**
 * From this long before its `notBefore` on, a pending call blocks other calls to its number. Earlier it blocks
 * none. Contract 4.1, rule 9, counts any scheduled call, but no call of the contract is scheduled for a chosen
 * instant: a call for next month would otherwise refuse all calls to the person until then.
 */
export const COUNTS_BEFORE_HOURS = 24;

/** The parameter at fault, and what it must be. */
export interface WindowFault {
  path: keyof CallWindow;
  message: string;
}

/** What is wrong with a window at `now`; null: nothing. A `notBefore` of the past means at once. Pure. */
export function windowFault({ notBefore, notAfter }: CallWindow, now: Date): WindowFault | null {
  const latest = now.getTime() + DAYS_AHEAD * 24 * HOUR_MS;
  for (const [path, at] of Object.entries({ notBefore, notAfter }) as [keyof CallWindow, Date | null][]) {
    if (at !== null && at.getTime() > latest)
      return { path, message: `${path} must be at most ${DAYS_AHEAD} days ahead` };
  }
  if (notAfter === null) return null;
  if (notBefore !== null && notAfter <= notBefore)
    return { path: 'notAfter', message: 'notAfter must be after notBefore' };
  return notAfter <= now ? { path: 'notAfter', message: 'notAfter must be in the future' } : null;
}
