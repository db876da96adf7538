import {
  type CallingHours,
  type CallingWindow,
  maxWindowsADay,
  type Weekday,
  weekdays,
} from '../../domain/calling-hours.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type SentFields } from '../frame/sent-fields.js';

/** The choices of the form: at any time, or in the windows of the week. */
export const ANY_TIME = 'any';
export const IN_WINDOWS = 'week';

/** A window as it was typed: two times, each perhaps empty. */
interface TypedWindow {
  start: string;
  end: string;
}

/** Calling hours as the form has them. A day without a typed window is closed. */
export interface TypedHours {
  /** {@link ANY_TIME}, {@link IN_WINDOWS}, or empty where nothing was chosen. */
  mode: string;
  week: Record<Weekday, readonly TypedWindow[]>;
}

const EMPTY: TypedWindow = { start: '', end: '' };

/** The form of stored hours. A field for a time has no 24:00, so the end of a day is 00:00 there. */
export function typedHoursOf(hours: CallingHours): TypedHours {
  const typed = ({ start, end }: CallingWindow) => ({ start, end: end === '24:00' ? '00:00' : end });
  return {
    mode: hours === null ? ANY_TIME : IN_WINDOWS,
    week: weekOf((day) => (hours?.[day] ?? []).map(typed)),
  };
}

/** @param name of the field; its parts begin with it. */
export function readTypedHours(name: string, sent: SentFields): TypedHours {
  const rows = (day: Weekday) => {
    const row = (n: number, part: string) => windowField(name, day, n, part);
    const windows: TypedWindow[] = [];
    for (let n = 0; n < maxWindowsADay && (sent.has(row(n, 'start')) || sent.has(row(n, 'end'))); n += 1)
      windows.push({ start: sent.text(row(n, 'start')), end: sent.text(row(n, 'end')) });
    return windows.filter(isTyped);
  };
  return { mode: sent.text(name), week: weekOf(rows) };
}

/**
 * What a form says, for `parseCallingHours`, which refuses what is incomplete. Undefined: nothing was chosen.
 * An end at 00:00 is the end of the day, and is stored as 24:00.
 */
export function hoursIn({ mode, week }: TypedHours): unknown {
  if (mode === ANY_TIME) return null;
  if (mode !== IN_WINDOWS) return undefined;
  const days = weekdays.map((day) => [day, week[day].filter(isTyped).map(windowIn)] as const);
  return Object.fromEntries(days.filter(([, windows]) => windows.length > 0));
}

/** The name of the field of a time, such as `callingHours.monday.0.start`. */
export function windowField(name: string, day: Weekday, n: number, part: string): string {
  return `${name}.${day}.${n}.${part}`;
}

/** A button that changes the form and saves nothing. */
export type HoursEdit = `add.${Weekday}` | `clear.${Weekday}` | 'copy.weekdays' | 'copy.every';

/** @param edit as a button names it. @returns the form after the button, as it was where the button is unknown. */
export function editedHours(typed: TypedHours, edit: string): TypedHours {
  const { week } = typed;
  const [what = '', where = ''] = edit.split('.');
  if (what === 'copy') {
    const days: readonly Weekday[] = where === 'weekdays' ? weekdays.slice(0, 5) : weekdays;
    return { ...typed, week: weekOf((day) => (days.includes(day) ? week.monday : week[day])) };
  }
  const rows: Partial<Record<string, (windows: readonly TypedWindow[]) => readonly TypedWindow[]>> = {
    // A day without windows shows an empty row already.
    add: (windows) => [...(windows.length === 0 ? [EMPTY] : windows), EMPTY].slice(0, maxWindowsADay),
    clear: () => [],
  };
  const change = rows[what];
  if (change === undefined) return typed;
  return { ...typed, week: weekOf((day) => (day === where ? change(week[day]) : week[day])) };
}

const FAULT = /^\w+\.(\w+)(?:\[(\d+)\])?(?:\.(start|end))? (.*)$/;

/**
 * A message of `parseCallingHours` in words, by the field that it is about.
 *
 * @param name of the field.
 */
export function hoursErrors(name: string, message: string): FieldErrors {
  const [, sent, index, part, fault = ''] = FAULT.exec(message) ?? [];
  const day = weekdays.find((one) => one === sent);
  if (day === undefined) {
    const text = message.replace(new RegExp(`^${name} never open.*`), 'Give at least one window in the week');
    return { [name]: text.replace(new RegExp(`^${name} `), 'Calling hours ') };
  }
  const window = index === undefined ? '' : `, window ${Number(index) + 1}`;
  const what = part === undefined ? '' : part === 'start' ? 'the beginning ' : 'the end ';
  const text = fault.replace(
    /^must differ from start.*/,
    'must differ from the beginning; 00:00 to 00:00 is the whole day',
  );
  return { [`${name}.${day}`]: `${dayName(day)}${window}: ${what}${text}` };
}

/** Such as `Monday`. */
export function dayName(day: Weekday): string {
  return day.charAt(0).toUpperCase() + day.slice(1);
}

function windowIn({ start, end }: TypedWindow): TypedWindow {
  const ends = timeIn(end);
  return { start: timeIn(start), end: ends === '00:00' ? '24:00' : ends };
}

/** Browsers without a field for times send what was typed, such as `9:00`; some add seconds. */
function timeIn(text: string): string {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d\d)(?::00)?$/.exec(text.trim()) ?? [];
  return hours === '' ? text.trim() : `${hours.padStart(2, '0')}:${minutes}`;
}

export const isTyped = ({ start, end }: TypedWindow) => start.trim() !== '' || end.trim() !== '';

function weekOf<T>(of: (day: Weekday) => T): Record<Weekday, T> {
  return Object.fromEntries(weekdays.map((day) => [day, of(day)])) as Record<Weekday, T>;
}
