import { Temporal } from '@js-temporal/polyfill';
import type { Schedule, Weekday } from '../../../src/domain/calling-hours.js';

// It uses only the types of the code under test. Offsets come from Temporal, and the rule is applied to
// texts. The next opening is found by reading the wall clock minute after minute.

const { floor } = Math;
const minute = 60_000;
const day = 86_400_000;
const scanLimit = 120 * day;
const namesFromSunday: Weekday[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/**
 * The offsets of one zone in a span of time: `offsets[i]` (milliseconds) holds from `starts[i]` (epoch
 * milliseconds).
 */
export interface ZoneTable {
  zone: string;
  starts: number[];
  offsets: number[];
}

export function zoneTable(zone: string, since: number, until: number): ZoneTable {
  let at = Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(zone);
  const table: ZoneTable = { zone, starts: [since], offsets: [at.offsetNanoseconds / 1e6] };
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds > until) return table;
    table.starts.push(next.epochMilliseconds);
    table.offsets.push(next.offsetNanoseconds / 1e6);
    at = next;
  }
}

function segmentOf(table: ZoneTable, instant: number): number {
  let index = table.starts.length - 1;
  while (index > 0 && table.starts[index]! > instant) index--;
  return index;
}

/** The wall clock's reading, as the epoch milliseconds at which a clock in UTC reads the same. */
export function reading(table: ZoneTable, instant: number): number {
  return instant + table.offsets[segmentOf(table, instant)]!;
}

/** Every minute of a day as `HH:MM`. */
export const timesOfDay = Array.from(
  { length: 1440 },
  (_, index) => `${String(floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`,
);

export interface LocalDate {
  closed: boolean;
  anyTime: boolean;
  /** Times of this date, from and to which a window is open; undefined where it lasts to the day's end. */
  periods: { start: string; end: string | undefined }[];
}

/** What applies to one local date, read off the schedule's texts. */
export function localDate(schedule: Schedule, midnight: number): LocalDate {
  const isClosed = (at: number) => schedule.closedDates.includes(new Date(at).toISOString().slice(0, 10));
  const windowsOf = (at: number) => schedule.callingHours?.[namesFromSunday[new Date(at).getUTCDay()]!] ?? [];
  const periods: LocalDate['periods'] = windowsOf(midnight).map(({ start, end }) => ({
    start,
    end: end < start ? undefined : end,
  }));
  if (!isClosed(midnight - day)) {
    for (const { start, end } of windowsOf(midnight - day)) {
      if (end < start) periods.push({ start: '00:00', end });
    }
  }
  return { closed: isClosed(midnight), anyTime: schedule.callingHours === null, periods };
}

export function inside(date: LocalDate, time: string): boolean {
  if (date.closed) return false;
  if (date.anyTime) return true;
  for (const { start, end } of date.periods) {
    if (time >= start && (end === undefined || time < end)) return true;
  }
  return false;
}

const midnightOf = (wall: number) => floor(wall / day) * day;
const timeOf = (wall: number, midnight: number) => timesOfDay[floor((wall - midnight) / minute)]!;

export function oracleIsOpen(schedule: Schedule, table: ZoneTable, instant: number): boolean {
  const wall = reading(table, instant);
  const midnight = midnightOf(wall);
  return inside(localDate(schedule, midnight), timeOf(wall, midnight));
}

/** Right where offsets are whole minutes and change at whole minutes, as all do since 1972. */
export function oracleNextOpening(schedule: Schedule, table: ZoneTable, from: number): number {
  if (oracleIsOpen(schedule, table, from)) return from;
  let at = Math.ceil(from / minute) * minute;
  let segment = segmentOf(table, at);
  let midnight = midnightOf(reading(table, at));
  let date = localDate(schedule, midnight);
  for (; at < from + scanLimit; at += minute) {
    if (at >= (table.starts[segment + 1] ?? Infinity)) segment++;
    const wall = at + table.offsets[segment]!;
    if (wall < midnight || wall >= midnight + day) {
      midnight = midnightOf(wall);
      date = localDate(schedule, midnight);
    }
    if (inside(date, timeOf(wall, midnight))) return at;
  }
  throw new Error('no opening within the scan');
}
