import { nextOpening } from '../../domain/calling-hours.js';
import { localTime } from '../../domain/zones/local-time.js';
import { offsetMs } from '../../domain/zones/time-zone.js';

const HOUR_MS = 3_600_000;

/**
 * The instants at which the hours of the local clock begin, the current hour first, and the end of the last
 * of them.
 */
export function localHours(zone: string, now: Date, count: number): { starts: Date[]; end: Date } {
  const wallOf = (instant: number) => instant + offsetMs(zone, instant);
  let instant = now.getTime() - (((wallOf(now.getTime()) % HOUR_MS) + HOUR_MS) % HOUR_MS);
  const starts: Date[] = [];
  while (starts.length < count) {
    starts.push(new Date(instant));
    // Not always an hour later: some zones change their clocks by half an hour.
    instant += HOUR_MS - (((wallOf(instant) % HOUR_MS) + HOUR_MS) % HOUR_MS);
  }
  return { starts, end: new Date(instant) };
}

/** The first instant of the local day, which is not midnight everywhere. */
export function startOfDay(zone: string, now: Date): Date {
  const dateOf = (instant: number) => dateIn(zone, new Date(instant));
  // No day is longer than 25 hours, so this instant is in yesterday or in the day before.
  const before = now.getTime() - 36 * HOUR_MS;
  const today = dateOf(now.getTime());
  const closedDates = [dateOf(before), dateOf(before + 24 * HOUR_MS)].filter((date) => date !== today);
  return nextOpening({ callingHours: null, closedDates }, zone, new Date(before));
}

/** The local date, such as `2026-11-20`. */
export function dateIn(zone: string, at: Date): string {
  return new Date(at.getTime() + offsetMs(zone, at.getTime())).toISOString().slice(0, 10);
}

/**
 * The instants at which a local day begins and ends; null for text that is no such day.
 * @param date as of {@link dateIn}.
 */
export function dayIn(zone: string, date: string): { from: Date; to: Date } | null {
  const noon = /^(?:19|2\d)\d\d-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T12:00:00Z`) : NaN;
  if (Number.isNaN(noon)) return null;
  const inside = new Date(noon - offsetMs(zone, noon));
  // The calendar has no such day, or the zone skipped it.
  if (dateIn(zone, inside) !== date) return null;
  const from = startOfDay(zone, inside);
  return { from, to: startOfDay(zone, new Date(from.getTime() + 36 * HOUR_MS)) };
}

/** Such as `Fri 2026-11-20 09:00`. */
export function timeIn(zone: string, at: Date | string): string {
  return localTime(zone, new Date(at));
}

/** Such as `12,345`. */
export function count(calls: number): string {
  return calls.toLocaleString('en-US');
}

/** A limit as people read it. @param limit null: none. */
export function limitText(limit: number | null): string {
  return limit === null ? 'no limit' : `at most ${count(limit)}`;
}
