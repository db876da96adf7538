import {
  DAY_MS,
  firstInside,
  isInside,
  isoDate,
  MINUTE_MS,
  type Period,
  type PeriodsOn,
} from './openings.js';

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/**
 * A window between two local wall-clock times `HH:MM`, half-open. An `end` of `24:00` or `00:00` is the end
 * of the day. Any other `end` before `start` is on the next day.
 */
export interface CallingWindow {
  start: string;
  end: string;
}

/** The windows by the weekday on which they start; `null` is any time. */
export type CallingHours = Partial<Record<Weekday, CallingWindow[]>> | null;

/** `closedDates` are local dates `YYYY-MM-DD`. No window starts on a closed date or reaches into it. */
export interface Schedule {
  callingHours: CallingHours;
  closedDates: readonly string[];
}

/** Whose time zone decides when a person may be called. */
export type ZoneSource = 'request' | 'contact' | 'agent';

/** The facts that decide when a call may be placed. */
export interface HoursFacts {
  callingHours: CallingHours;
  closedDates: string[];
  agentTimezone: string;
  contactTimezone: string | null;
  /** The request's own `timezone`. */
  requestTimezone: string | null;
}

/** Whose zone {@link zoneOf} gives. */
export function zoneSourceOf({ requestTimezone, contactTimezone }: HoursFacts): ZoneSource {
  if (requestTimezone !== null) return 'request';
  return contactTimezone !== null ? 'contact' : 'agent';
}

/** The zone of the request, else the stored zone of the contact, else the zone of the agent. */
export function zoneOf(facts: HoursFacts): string {
  return facts.requestTimezone ?? facts.contactTimezone ?? facts.agentTimezone;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string };

const NO_DATES: ReadonlySet<string> = new Set();

/**
 * Whether the agent may dial at `instant`: the contract's "inside the agent's allowed calling hours". The
 * agent may dial if and only if the wall clock in `zone` reads a time inside a window at `instant`. Throws a
 * RangeError for an unknown zone.
 */
export function isOpen(schedule: Schedule, zone: string, instant: Date): boolean {
  // Building a set would cost more than it saves for the two dates that are looked up here.
  const isClosed = (date: number) => schedule.closedDates.includes(isoDate(date));
  return isInside((date) => openPeriods(schedule.callingHours, isClosed, date), zone, instant.getTime());
}

/** The contract's "next allowed slot": the first instant at or after `from` at which {@link isOpen} holds. */
export function nextOpening(schedule: Schedule, zone: string, from: Date): Date {
  const closed = schedule.closedDates.length === 0 ? NO_DATES : new Set(schedule.closedDates);
  // Each closed date can postpone a weekly window by one week, and today's windows may be over.
  const days = 7 * (closed.size + 1);
  const opening = firstInside(periodsOf(schedule.callingHours, closed), zone, from.getTime(), days);
  if (opening === undefined) throw new RangeError('these calling hours never open');
  return new Date(opening);
}

/** The open periods of the dates of a schedule whose closed dates are a set. */
export function periodsOf(hours: CallingHours, closed: ReadonlySet<string>): PeriodsOn {
  const isClosed = (date: number) => closed.size > 0 && closed.has(isoDate(date));
  return (date) => openPeriods(hours, isClosed, date);
}

/**
 * The periods of one local date that are inside calling hours, unordered. `date` counts days from 1970-01-01.
 *
 * The part of a night window after midnight belongs to the preceding calendar date. This also holds if the
 * zone skipped that date.
 */
export function openPeriods(
  hours: CallingHours,
  isClosed: (date: number) => boolean,
  date: number,
): readonly Period[] {
  const begun = hours?.[weekdayOf(date)] ?? [];
  const night = (hours?.[weekdayOf(date - 1)] ?? []).filter(crossesMidnight);
  if ((hours && begun.length + night.length === 0) || isClosed(date)) return CLOSED;
  if (!hours) return WHOLE_DAY;
  const periods = begun.map((window): Period => [
    timeOfDay(window.start),
    crossesMidnight(window) || endsDay(window) ? DAY_MS : timeOfDay(window.end),
  ]);
  if (night.length > 0 && !isClosed(date - 1)) {
    for (const { end } of night) periods.push([0, timeOfDay(end)]);
  }
  return periods;
}

const CLOSED: readonly Period[] = [];
export const WHOLE_DAY: readonly Period[] = [[0, DAY_MS]];

const endsDay = ({ end }: CallingWindow) => end === '24:00' || end === '00:00';
// Hours and minutes have two digits each, so comparing the texts compares the times.
const crossesMidnight = (window: CallingWindow) => window.end < window.start && !endsDay(window);
const timeOfDay = (time: string) => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * MINUTE_MS;
// 1970-01-01 was a Thursday.
const weekdayOf = (date: number) => weekdays[(((date + 3) % 7) + 7) % 7]!;

export const maxWindowsADay = 20;
export const maxClosedDates = 1000;
const startTime = /^([01]\d|2[0-3]):[0-5]\d$/;
const endTime = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

/**
 * Validates what an operator sent as calling hours; the message names the path of what is wrong.
 *
 * @param name the field that holds the value.
 */
export function parseCallingHours(input: unknown, name = 'callingHours'): Parsed<CallingHours> {
  if (input === null) return { ok: true, value: null };
  if (!isRecord(input)) return refuse(`${name} must be null or an object of weekdays`);
  const value: NonNullable<CallingHours> = {};
  for (const [key, list] of Object.entries(input)) {
    const weekday = weekdays.find((known) => known === key);
    if (!weekday) return refuse(`${name} has an unknown weekday ${shown(key)}`);
    const path = `${name}.${weekday}`;
    if (!Array.isArray(list)) return refuse(`${path} must be an array of windows`);
    if (list.length > maxWindowsADay) return refuse(`${path} must have at most ${maxWindowsADay} windows`);
    const windows: CallingWindow[] = [];
    for (const [index, candidate] of list.entries()) {
      const window = parseWindow(candidate, `${path}[${index}]`);
      if (!window.ok) return window;
      windows.push(window.value);
    }
    value[weekday] = windows;
  }
  if (!Object.values(value).some((windows) => windows.length > 0)) {
    return refuse(`${name} never open: send at least one window, or null for any time`);
  }
  return { ok: true, value };
}

function parseWindow(input: unknown, path: string): Parsed<CallingWindow> {
  if (!isRecord(input)) return refuse(`${path} must be an object with start and end`);
  const { start, end, ...others } = input;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return refuse(`${path} has an unknown key ${shown(unknown)}`);
  if (typeof start !== 'string' || !startTime.test(start)) {
    return refuse(`${path}.start must be a time HH:MM from 00:00 to 23:59`);
  }
  if (typeof end !== 'string' || !endTime.test(end)) {
    return refuse(`${path}.end must be a time HH:MM from 00:00 to 24:00`);
  }
  if (start === end) {
    return refuse(`${path}.end must differ from start (the whole day is 00:00 to 24:00)`);
  }
  return { ok: true, value: { start, end } };
}

/**
 * Validates what an operator sent as closed dates; the value is sorted and without duplicates.
 *
 * @param name the field that holds the value.
 */
export function parseClosedDates(input: unknown, name = 'closedDates'): Parsed<string[]> {
  if (!Array.isArray(input)) return refuse(`${name} must be an array of dates`);
  if (input.length > maxClosedDates) return refuse(`${name} must have at most ${maxClosedDates} dates`);
  const dates = new Set<string>();
  for (const [index, date] of (input as unknown[]).entries()) {
    if (typeof date !== 'string' || !isCalendarDate(date)) {
      return refuse(`${name}[${index}] must be a date YYYY-MM-DD of the calendar`);
    }
    dates.add(date);
  }
  return { ok: true, value: [...dates].sort() };
}

/**
 * Compares the parsed date with the text, because `Date` turns 2026-02-30 into 2 March instead of refusing
 * it.
 */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && isoDate(instant / DAY_MS) === text;
}

const refuse = (message: string) => ({ ok: false, message }) as const;
/** Keys come from outside and may be of any length. */
const shown = (key: string) => JSON.stringify(key.slice(0, 40));
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
