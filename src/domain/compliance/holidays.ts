import { type Weekday, weekdays } from '../calling-hours.js';
import { DAY_MS, isoDate } from '../openings.js';
import { type Holiday, type ObservedShift } from './pack.js';

const THURSDAY = weekdays.indexOf('thursday');
const SATURDAY = weekdays.indexOf('saturday');
const SUNDAY = weekdays.indexOf('sunday');

/** Dates whose names are kept. */
const MAX_KEPT_DATES = 1_000;

/** The holidays of one rule. Its dates are computed once for each year. */
export class HolidayCalendar {
  private readonly years = new Map<string, ReadonlyMap<string, string>>();
  /** By date. Consecutive decisions are about the same few dates. */
  private readonly names = new Map<string, string | null>();

  /** Throws a RangeError for a weekday that is none. */
  constructor(private readonly days: readonly Holiday[]) {
    for (const day of days) if ('weekday' in day) indexOfWeekday(day.weekday);
  }

  /** @param date a local date `YYYY-MM-DD`. */
  readonly isClosed = (date: string): boolean => this.nameOn(date) !== null;

  /** The name of the holiday on a local date `YYYY-MM-DD`, or null. Of two, the one that the rule lists first. */
  nameOn(date: string): string | null {
    const known = this.names.get(date);
    if (known !== undefined) return known;
    if (this.names.size >= MAX_KEPT_DATES) {
      this.names.clear();
      this.years.clear();
    }
    const name = this.yearOf(date).get(date) ?? null;
    this.names.set(date, name);
    return name;
  }

  private yearOf(date: string): ReadonlyMap<string, string> {
    const year = date.slice(0, 4);
    let dates = this.years.get(year);
    if (dates === undefined) this.years.set(year, (dates = this.datesIn(Number(year))));
    return dates;
  }

  private datesIn(year: number): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const day of this.days) {
      // New Year's Day on a Saturday is observed in the year before.
      const dates =
        'dates' in day
          ? day.dates
          : [year - 1, year, year + 1].flatMap((one) => datesOf(day, one)).map(isoDate);
      for (const date of dates) if (!names.has(date)) names.set(date, day.name);
    }
    return names;
  }
}

/** The dates of a returning holiday, counted in days from 1970-01-01. */
function datesOf(day: Exclude<Holiday, { dates: readonly string[] }>, year: number): number[] {
  if ('easter' in day) return [easterSunday(year) + day.easter];
  if ('weekday' in day) {
    const date = nthWeekday(year, day.month, indexOfWeekday(day.weekday), day.nth);
    return date === null ? [] : [date + (day.offset ?? 0)];
  }
  const date = dateOf(year, day.month, day.day);
  if (date === null) return [];
  const observed = day.observed === undefined ? date : observedOn(date, day.observed);
  return day.alsoOnItsDate && observed !== date ? [date, observed] : [observed];
}

function observedOn(date: number, shift: ObservedShift): number {
  const weekday = weekdayOf(date);
  if (weekday === SUNDAY) return date + 1;
  if (weekday !== SATURDAY) return date;
  switch (shift) {
    case 'nearestWeekday':
      return date - 1;
    case 'nextMonday':
      return date + 2;
    case 'sundayToMonday':
      return date;
  }
}

/** null: that month has no such weekday, such as a fifth Monday. */
function nthWeekday(year: number, month: number, weekday: number, nth: number): number | null {
  const first = utcDate(year, month, 1);
  const length = utcDate(year, month + 1, 1) - first;
  const day =
    nth < 0
      ? length - 1 - ((weekdayOf(first + length - 1) - weekday + 7) % 7) + 7 * (nth + 1)
      : ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1);
  return day >= 0 && day < length ? first + day : null;
}

/** null: the year does not have this date, such as 29 February. */
function dateOf(year: number, month: number, day: number): number | null {
  const date = utcDate(year, month, day);
  return date < utcDate(year, month + 1, 1) ? date : null;
}

/** Western Easter Sunday by the anonymous Gregorian computus (Nature, 20 April 1876; Meeus, Jones and Butcher). */
export function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const sinceMarch = epact + toSunday - 7 * late + 114;
  return utcDate(year, Math.floor(sinceMarch / 31), (sinceMarch % 31) + 1);
}

const utcDate = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day) / DAY_MS;

/** Counted from Monday, as {@link weekdays} are. 1970-01-01 was a Thursday. */
const weekdayOf = (date: number) => (((date + THURSDAY) % 7) + 7) % 7;

function indexOfWeekday(name: string): number {
  const index = weekdays.indexOf(name as Weekday);
  if (index < 0) throw new RangeError(`${name.slice(0, 40)} is not a weekday such as monday`);
  return index;
}
