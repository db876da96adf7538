import { parseClosedDates, weekdays } from '../../domain/calling-hours.js';
import { type Holiday } from '../../domain/compliance/pack.js';
import { Fields } from './fields.js';
import { PackError } from './pack-error.js';

const OBSERVED = ['nearestWeekday', 'nextMonday', 'sundayToMonday'] as const;

/**
 * A day of a rule `closedDates`.
 *
 * @param where what messages begin with.
 * @throws PackError naming the field.
 */
export function parseHoliday(input: unknown, where: string): Holiday {
  const fields = Fields.of(input, where);
  const name = fields.text('name');
  const day = fields.has('easter')
    ? { easter: fields.whole('easter', -120, 240) }
    : fields.has('dates')
      ? { dates: datesOf(fields) }
      : fields.has('weekday')
        ? nthWeekdayOf(fields)
        : fixedDayOf(fields);
  fields.end();
  return { name, ...day };
}

function datesOf(fields: Fields): string[] {
  const dates = parseClosedDates(fields.list('dates'), `${fields.where}: dates`);
  if (!dates.ok) throw new PackError(dates.message);
  return dates.value;
}

function nthWeekdayOf(fields: Fields) {
  const month = fields.whole('month', 1, 12);
  const weekday = fields.oneOf('weekday', weekdays);
  const nth = fields.whole('nth', -5, 5);
  if (nth === 0) throw fields.fault('nth', 'must count from 1, or from -1 for the last');
  const offset = fields.optionalWhole('offset', -31, 31);
  return { month, weekday, nth, ...(offset !== null && { offset }) };
}

function fixedDayOf(fields: Fields) {
  const month = fields.whole('month', 1, 12);
  // Of a leap year, which has every day that any year has.
  const day = fields.whole('day', 1, new Date(Date.UTC(2024, month, 0)).getUTCDate());
  const observed = fields.optionalOneOf('observed', OBSERVED);
  const alsoOnItsDate = fields.optionalFlag('alsoOnItsDate');
  if (alsoOnItsDate !== null && observed === null)
    throw fields.fault('alsoOnItsDate', 'is only for a day with observed');
  return {
    month,
    day,
    ...(observed !== null && { observed }),
    ...(alsoOnItsDate !== null && { alsoOnItsDate }),
  };
}
