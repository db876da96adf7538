import { type CallingHours, openPeriods, periodsOf, type Schedule, WHOLE_DAY } from '../calling-hours.js';
import { DAY_MS, firstInside, isInside, isoDate, type Period, type PeriodsOn } from '../openings.js';

/** The windows and closed dates of one rule, in each zone in which the called person may be. */
export interface LawfulHours {
  /** null: any time, so that only closed dates matter. Windows are read once per object, so keep it as it is. */
  hours: CallingHours;
  /** @param date a local date `YYYY-MM-DD`. No window starts on a closed date or reaches into it. */
  isClosed(date: string): boolean;
  /** The first and the last local date `YYYY-MM-DD` on which the rule is in effect; null: open. Other dates are wholly open. */
  effectiveFrom: string | null;
  effectiveTo: string | null;
  /** Names of IANA. A rule without zones never narrows. */
  zones: readonly string[];
}

/** How far {@link nextOpeningInAll} looks ahead. */
export const MAX_DAYS_AHEAD = 400;

/**
 * Whether `instant` is inside the windows of every entry in every zone of the entry. Each is judged by the local date and
 * time in its own zone. Throws a RangeError for an unknown zone.
 */
export function isOpenInAll(list: readonly LawfulHours[], instant: Date): boolean {
  const at = instant.getTime();
  for (const entry of list) {
    const periodsOn = lawfulPeriods(entry);
    for (const zone of entry.zones) if (!isInside(periodsOn, zone, at)) return false;
  }
  return true;
}

/**
 * The first instant at or after `from` that is inside the agent's schedule in the agent's single zone, and at which
 * {@link isOpenInAll} holds; null: none within {@link MAX_DAYS_AHEAD} days. Throws a RangeError for an unknown zone.
 *
 * Every candidate is asked for its first opening at or after the latest one, until all of them agree. No step passes over an
 * instant that is inside all, because one of them is closed until its opening.
 */
export function nextOpeningInAll(
  agentSchedule: Schedule,
  agentZone: string,
  list: readonly LawfulHours[],
  from: Date,
): Date | null {
  const candidates = [{ periodsOn: agentPeriods(agentSchedule), zone: agentZone }];
  for (const entry of list) {
    const periodsOn = lawfulPeriods(entry);
    for (const zone of entry.zones) candidates.push({ periodsOn, zone });
  }
  let at = from.getTime();
  const limit = at + MAX_DAYS_AHEAD * DAY_MS;
  for (let index = 0; index < candidates.length;) {
    const candidate = candidates[index]!;
    // Two dates more, because a clock can skip a whole date.
    const days = Math.ceil((limit - at) / DAY_MS) + 2;
    const opening = firstInside(candidate.periodsOn, candidate.zone, at, days);
    if (opening === undefined || opening > limit) return null;
    if (opening === at) {
      index += 1;
      continue;
    }
    at = opening;
    // It agrees on this instant. Those that were closed last come first, so that windows that never meet are found soon.
    candidates.copyWithin(1, 0, index);
    candidates[0] = candidate;
    index = 1;
  }
  return new Date(at);
}

const agentPeriods = ({ callingHours, closedDates }: Schedule): PeriodsOn =>
  periodsOf(callingHours, new Set(closedDates));

function lawfulPeriods(entry: LawfulHours): PeriodsOn {
  const week = entry.hours === null ? null : weekOf(entry.hours);
  const { effectiveFrom, effectiveTo } = entry;
  return (date) => {
    const text = isoDate(date);
    if (effectiveFrom !== null && text < effectiveFrom) return WHOLE_DAY;
    if (effectiveTo !== null && text > effectiveTo) return WHOLE_DAY;
    if (entry.isClosed(text)) return CLOSED;
    if (week === null) return WHOLE_DAY;
    const { periods, withoutNight } = week[((date % 7) + 7) % 7]!;
    return withoutNight !== periods && entry.isClosed(isoDate(date - 1)) ? withoutNight : periods;
  };
}

const CLOSED: readonly Period[] = [];

/** The periods of a weekday. `withoutNight`: those of a date after a closed one; the same object if there is no difference. */
interface WeekdayPeriods {
  periods: readonly Period[];
  withoutNight: readonly Period[];
}

/** The windows of packs are read once, not for each call. */
const weeks = new WeakMap<object, readonly WeekdayPeriods[]>();

/** By the date, counted from 1970-01-01, modulo 7. */
function weekOf(hours: NonNullable<CallingHours>): readonly WeekdayPeriods[] {
  const known = weeks.get(hours);
  if (known !== undefined) return known;
  const week = [0, 1, 2, 3, 4, 5, 6].map((date): WeekdayPeriods => {
    const periods = openPeriods(hours, () => false, date);
    const withoutNight = openPeriods(hours, (other) => other !== date, date);
    return { periods, withoutNight: withoutNight.length === periods.length ? periods : withoutNight };
  });
  weeks.set(hours, week);
  return week;
}
