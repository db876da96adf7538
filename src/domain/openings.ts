import { nextTransition, offsetMs, type WallClock } from './zones/time-zone.js';

/** A half-open part of a local date, in milliseconds of its wall clock since midnight. */
export type Period = readonly [start: number, end: number];

/** The open periods of a local date, unordered. `date` counts days from 1970-01-01. */
export type PeriodsOn = (date: number) => readonly Period[];

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Enough for the dates of a search over a year. */
const MAX_KEPT_DATES = 1_000;
const keptDates = new Map<number, string>();

/** `YYYY-MM-DD` of a date that is counted in days from 1970-01-01. Consecutive decisions are about few dates. */
export function isoDate(date: number): string {
  const kept = keptDates.get(date);
  if (kept !== undefined) return kept;
  const text = new Date(date * DAY_MS).toISOString().slice(0, 10);
  if (keptDates.size >= MAX_KEPT_DATES) keptDates.clear();
  keptDates.set(date, text);
  return text;
}

/**
 * Whether the wall clock in `zone` reads a time inside a period at `instant` (epoch milliseconds). Throws a
 * RangeError for an unknown zone or an invalid instant.
 */
export function isInside(periodsOn: PeriodsOn, zone: string, instant: number): boolean {
  const wall = instant + offsetMs(zone, instant);
  const date = Math.floor(wall / DAY_MS);
  const time = wall - date * DAY_MS;
  for (const [start, end] of periodsOn(date)) if (start <= time && time < end) return true;
  return false;
}

/**
 * The first instant at or after `from` at which {@link isInside} holds (epoch milliseconds), or undefined if no period is
 * open within `days` local dates.
 *
 * Each round of the search assumes that the offset of the zone does not change before the opening. If the
 * offset changes earlier, the next round begins at the change, because the change may skip the opening or
 * repeat part of a window.
 */
export function firstInside(
  periodsOn: PeriodsOn,
  zone: string,
  from: number,
  days: number,
): number | undefined {
  for (let instant = from; ;) {
    const offset = offsetMs(zone, instant);
    const reading = firstReadingInside(periodsOn, instant + offset, days);
    if (reading === undefined) return undefined;
    const transition = nextTransition(zone, instant, reading - offset);
    if (transition === undefined) return reading - offset;
    instant = transition;
  }
}

/** The first reading at or after `wall` that is inside a period, on a wall clock that never jumps. */
function firstReadingInside(periodsOn: PeriodsOn, wall: WallClock, days: number): WallClock | undefined {
  const today = Math.floor(wall / DAY_MS);
  for (let date = today; date <= today + days; date++) {
    const midnight = date * DAY_MS;
    let first = Infinity;
    for (const [start, end] of periodsOn(date)) {
      if (wall < midnight + end) first = Math.min(first, Math.max(midnight + start, wall));
    }
    if (first < Infinity) return first;
  }
  return undefined;
}
