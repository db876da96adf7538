import { formatInTimeZone } from 'date-fns-tz';
import { offsetMs } from './time-zone.js';

const MINUTE_MS = 60_000;

/**
 * The local time for display, such as `Fri 2026-11-20 09:00`. Exact only if the process itself runs in UTC.
 * Throws a RangeError for an unknown zone.
 */
export function localTime(zone: string, instant: Date): string {
  // By the name of a zone, date-fns-tz would use the zone data of Node.
  const offset = isoOffset(offsetMs(zone, instant.getTime()));
  return formatInTimeZone(instant, offset, 'EEE yyyy-MM-dd HH:mm');
}

/** Such as `-05:00`. Since 1972, all offsets are whole minutes. */
function isoOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}
