import { nextOpening } from '../calling-hours.js';
import { DAY_MS, isoDate } from '../openings.js';
import { offsetMs } from '../zones/time-zone.js';

/** A day of the calendar, as the number of days since 1970-01-01. */
export type LocalDay = number;

/** The date that the wall clock in `zone` shows at `at` (epoch milliseconds). */
export function localDay(zone: string, at: number): LocalDay {
  return Math.floor((at + offsetMs(zone, at)) / DAY_MS);
}

/** The first instant at or after `from` at which the wall clock in `zone` shows `day` or a later date. */
export function startOfDay(zone: string, day: LocalDay, from: number): number {
  const closedDates: string[] = [];
  for (let each = localDay(zone, from); each < day; each += 1) closedDates.push(isoDate(each));
  return nextOpening({ callingHours: null, closedDates }, zone, new Date(from)).getTime();
}
