import { formatInTimeZone } from 'date-fns-tz';
import { isTimeZone } from './time-zone.js';

/**
 * The local time for display, such as `Fri 2026-11-20 09:00`. Exact only if the process itself runs in UTC.
 */
export function localTime(zone: string, instant: Date): string {
  // date-fns-tz would return an invalid date for an unknown zone. It caches every spelling of a zone, so it
  // gets the name in lower case.
  if (!isTimeZone(zone)) throw new RangeError('not the name of a time zone');
  return formatInTimeZone(instant, zone.toLowerCase(), 'EEE yyyy-MM-dd HH:mm');
}
