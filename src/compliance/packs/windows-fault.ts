import { type CallingHours, type CallingWindow, weekdays } from '../../domain/calling-hours.js';

/**
 * What is wrong with windows that {@link parseCallingHours} accepts and a pack does not: they cross midnight or overlap.
 * Begins with the weekday; null if nothing is.
 */
export function windowsFault(hours: NonNullable<CallingHours>): string | null {
  for (const weekday of weekdays) {
    const windows = hours[weekday] ?? [];
    const late = windows.findIndex((window) => endOf(window) < window.start);
    if (late >= 0) return `${weekday}[${late}] must not cross midnight: write two windows`;
    const sorted = [...windows].sort((a, b) => (a.start < b.start ? -1 : 1));
    const overlap = sorted.find((window, index) => index > 0 && window.start < endOf(sorted[index - 1]!));
    if (overlap !== undefined)
      return `${weekday}[${windows.indexOf(overlap)}] must not overlap another window`;
  }
  return null;
}

/** `00:00` is the end of the day. */
const endOf = ({ end }: CallingWindow) => (end === '00:00' ? '24:00' : end);
