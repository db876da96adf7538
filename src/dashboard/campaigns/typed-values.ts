import { DURATION_PATTERN } from '../../domain/campaigns/duration.js';

const UNITS = ['w', 'd', 'h', 'm', 's'] as const;
const SHORT = /^(?:(\d{1,9})w)? ?(?:(\d{1,9})d)? ?(?:(\d{1,9})h)? ?(?:(\d{1,9})m)? ?(?:(\d{1,9})s)?$/i;

/** How the forms spell durations. */
export const DURATION_HINT = 'Such as 30m, 16h or 1d 12h. Weeks (w) and days (d) keep the time of day.';

/** A duration as the forms show it, such as `1d 12h` for `P1DT12H`. A text that has no such spelling stays. */
export function durationText(iso: string): string {
  const parts = DURATION_PATTERN.exec(iso)?.slice(1);
  if (parts === undefined) return iso;
  const text = UNITS.flatMap((unit, index) => (parts[index] === undefined ? [] : `${parts[index]}${unit}`));
  return text.join(' ');
}

/** The inverse of {@link durationText}: an ISO 8601 duration. A text in neither spelling stays, and is refused. */
export function isoDuration(text: string): string {
  const typed = text.trim().replace(/\s+/g, ' ');
  const parts = typed === '' ? undefined : SHORT.exec(typed)?.slice(1);
  if (parts === undefined) return typed.toUpperCase();
  const [weeks, days, hours, minutes, seconds] = parts;
  const part = (digits: string | undefined, unit: string) => (digits === undefined ? '' : digits + unit);
  const time = part(hours, 'H') + part(minutes, 'M') + part(seconds, 'S');
  return `P${part(weeks, 'W')}${part(days, 'D')}${time && `T${time}`}`;
}

/** A count that was typed; null for an empty field. Another text stays, so that the API's rule refuses it. */
export function countOf(text: string): unknown {
  const typed = text.trim();
  if (typed === '') return null;
  return /^\d{1,9}$/.test(typed) ? Number(typed) : typed;
}
