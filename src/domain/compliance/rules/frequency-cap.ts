import { type FrequencyCapRule } from '../pack.js';
import { localDay, startOfDay } from '../local-day.js';
import { type RuleOutcome } from './rule-outcome.js';

const UNIT_MS = { hours: 3_600_000, days: 86_400_000 };

/**
 * Counts the calls to the person within the window. A window of days is one of the person's calendar, so it is counted in
 * each zone in which the person may be.
 *
 * @param zones not empty for a window of days; otherwise the window cannot be counted, and the cap allows.
 * @param processedAt instants of other calls (epoch milliseconds), unordered. @param now epoch milliseconds.
 */
export function checkFrequencyCap(
  { max, window }: FrequencyCapRule,
  zones: readonly string[],
  processedAt: readonly number[],
  now: number,
): RuleOutcome {
  const calls = processedAt.filter((at) => at <= now).sort((one, other) => one - other);
  if (window.type === 'rolling') {
    const length = window.length * UNIT_MS[window.unit];
    // A call that is exactly as old as the window is outside of it.
    const counted = calls.filter((at) => at + length > now);
    return outcomeOf(
      max,
      counted.length,
      leavesAt(counted, max, (at) => at + length),
    );
  }
  const days = window.type === 'localDay' ? 1 : window.length;
  let most = 0;
  let retryAt: number | undefined;
  for (const zone of zones) {
    const today = localDay(zone, now);
    const counted = calls.filter((at) => localDay(zone, at) > today - days);
    most = Math.max(most, counted.length);
    const free = leavesAt(counted, max, (at) => startOfDay(zone, localDay(zone, at) + days, now));
    if (free !== undefined) retryAt = Math.max(retryAt ?? free, free);
  }
  return outcomeOf(max, most, retryAt);
}

/** When so many calls have left the window that another one is allowed; undefined: one is allowed, or none ever is. */
function leavesAt(
  counted: readonly number[],
  max: number,
  leaves: (at: number) => number,
): number | undefined {
  const last = max === 0 ? undefined : counted[counted.length - max];
  return last === undefined ? undefined : leaves(last);
}

function outcomeOf(max: number, calls: number, retryAt: number | undefined): RuleOutcome {
  const evidence = { max, calls };
  if (calls < max) return { allow: true, evidence };
  return {
    allow: false,
    reason: 'JURISDICTION_CAP',
    evidence,
    ...(retryAt !== undefined && { retryAt }),
  };
}
