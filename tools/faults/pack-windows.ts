import { Temporal } from '@js-temporal/polyfill';

const MINUTE_MS = 60_000;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Where people with numbers of the run are. The product's own table is not asked. */
const ZONES_OF_AREAS: Readonly<Record<string, string>> = {
  206: 'America/Los_Angeles',
  212: 'America/New_York',
  213: 'America/Los_Angeles',
  214: 'America/Chicago',
  303: 'America/Denver',
  312: 'America/Chicago',
  404: 'America/New_York',
  415: 'America/Los_Angeles',
  512: 'America/Chicago',
  602: 'America/Phoenix',
  617: 'America/New_York',
  702: 'America/Los_Angeles',
  713: 'America/Chicago',
  816: 'America/Chicago',
};

/** Each is an hour behind the one before. Phoenix has the clock of one of them, whatever the season. */
const CONTINENTAL = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'];

/** A day may have 20 windows: five for each zone. */
const SHORT_WINDOWS = 4;
const SHORT_MINUTES = 1;
/** The hours of two zones do not meet. */
const LAST_MINUTE = 55;

/** The windows of a pack by the clock of the called person: weekday → `HH:MM` to `HH:MM`. */
export type PackHours = Readonly<Record<string, readonly { start: string; end: string }[]>>;

/**
 * Windows that open and close while a run goes on, and not at the same time everywhere: for eight minutes, each a minute
 * long with a minute between them, while they are closed in the next zone; then one until the end of the hour. A clock
 * that is wrong by an hour, or by three, calls while they are closed.
 *
 * @param from when the run begins, in milliseconds.
 */
export function packHoursFrom(from: number): PackHours {
  const first = Math.floor(from / MINUTE_MS) * MINUTE_MS;
  const hours: Record<string, { start: string; end: string }[]> = {};
  for (const [index, zone] of CONTINENTAL.entries()) {
    const phase = (index % 2) * SHORT_MINUTES;
    const openings = Array.from({ length: SHORT_WINDOWS }, (_, n): [number, number] => {
      const begin = phase + n * 2 * SHORT_MINUTES;
      return [begin, begin + SHORT_MINUTES];
    });
    const afterwards = 2 * SHORT_MINUTES * SHORT_WINDOWS + phase;
    for (const [begin, end] of [...openings, [afterwards, LAST_MINUTE] as const])
      add(hours, zone, first + begin * MINUTE_MS, first + end * MINUTE_MS);
  }
  return hours;
}

/** Adds a window, as two where it crosses midnight. */
function add(
  hours: Record<string, { start: string; end: string }[]>,
  zone: string,
  from: number,
  to: number,
): void {
  const [begin, end] = [from, to].map((at) => localTime(at, zone)) as [
    Temporal.ZonedDateTime,
    Temporal.ZonedDateTime,
  ];
  const midnight = begin.add({ days: 1 }).startOfDay();
  if (Temporal.ZonedDateTime.compare(end, midnight) > 0) {
    add(hours, zone, from, midnight.epochMilliseconds);
    add(hours, zone, midnight.epochMilliseconds, to);
    return;
  }
  (hours[weekdayOf(begin)] ??= []).push({
    start: clockOf(begin),
    end: end.equals(midnight) ? '24:00' : clockOf(end),
  });
}

/** Whether the windows are open at an instant at the place of a number of the run. */
export function isWithin(hours: PackHours, phoneNumber: string, at: number): boolean {
  const zone = ZONES_OF_AREAS[phoneNumber.slice(2, 5)];
  if (zone === undefined) throw new Error(`nothing is known of the place of ${phoneNumber.slice(0, 5)}`);
  const local = localTime(at, zone);
  const clock = clockOf(local);
  // Texts of times compare as the times do.
  return (hours[weekdayOf(local)] ?? []).some(({ start, end }) => start <= clock && clock < end);
}

const localTime = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone);

const clockOf = (local: Temporal.ZonedDateTime) => local.toPlainTime().toString({ smallestUnit: 'minute' });

const weekdayOf = (local: Temporal.ZonedDateTime) => WEEKDAYS[local.dayOfWeek - 1] as string;
