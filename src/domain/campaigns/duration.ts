import { isTimeZone, nextTransition, offsetMs } from '../zones/time-zone.js';

/** An ISO 8601 duration: calendar days, which keep the wall clock, plus elapsed time. */
export interface Duration {
  /** Weeks and days of the text, in days. */
  days: number;
  /** Hours, minutes and seconds of the text, in milliseconds. */
  elapsedMs: number;
}

const DAY_MS = 86_400_000;
export const MAX_DURATION_DAYS = 366;

/** ISO 8601-2 allows weeks beside days. A `P` or a `T` with nothing after it is not valid. */
export const DURATION_PATTERN =
  /^P(?=.)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/** @returns undefined for a text that is no duration of W, D, H, M and S, or is longer than P366D. */
export function parseDuration(text: string): Duration | undefined {
  const match = DURATION_PATTERN.exec(text);
  if (!match) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0));
  const duration = {
    days: weeks! * 7 + days!,
    elapsedMs: ((hours! * 60 + minutes!) * 60 + seconds!) * 1000,
  };
  return nominalMs(duration) > MAX_DURATION_DAYS * DAY_MS ? undefined : duration;
}

/**
 * The length of a duration if every day has 24 hours. It is for comparing durations, not for the instant of a
 * dial.
 */
export function nominalMs({ days, elapsedMs }: Duration): number {
  return days * DAY_MS + elapsedMs;
}

/**
 * The instant `duration` after `from`. Weeks and days keep the wall clock in `zone`. A local time that does
 * not exist becomes the instant after the gap. A local time that exists twice becomes the earlier instant.
 * Hours, minutes and seconds are elapsed time. In an unknown zone, which
 * dials nothing, days are those of UTC.
 */
export function addDuration(from: Date, { days, elapsedMs }: Duration, zone: string): Date {
  const start = from.getTime();
  // Without days the wall clock is not used. In a repeated hour, the result could otherwise be before `from`.
  if (days === 0) return new Date(start + elapsedMs);
  const known = isTimeZone(zone) ? zone : 'UTC';
  const wall = start + offsetMs(known, start) + days * DAY_MS;
  return new Date(instantOf(wall, known) + elapsedMs);
}

/**
 * The first instant at which the wall clock reads `wall`, or the first instant after a gap that skips `wall`.
 * Only the offsets one day before and one day after can apply. Since 2000, no zone has had two transitions
 * within two days.
 */
function instantOf(wall: number, zone: string): number {
  const [before, after] = [offsetMs(zone, wall - DAY_MS), offsetMs(zone, wall + DAY_MS)];
  const largest = Math.max(before, after);
  const smallest = Math.min(before, after);
  for (const offset of [largest, smallest]) {
    if (offsetMs(zone, wall - offset) === offset) return wall - offset;
  }
  return nextTransition(zone, wall - largest, wall - smallest) ?? wall - smallest;
}
