import { type FieldErrors } from '../frame/form-errors.js';
import { type SentFields } from '../frame/sent-fields.js';

/** Closed dates as the form has them. */
export interface TypedDates {
  /** One a line. */
  list: string;
  /** A date to add to them. */
  more: string;
}

/** The field of the date that is added. */
export const moreField = (name: string): string => `${name}.more`;

export function typedDatesOf(dates: readonly string[]): TypedDates {
  return { list: dates.join('\n'), more: '' };
}

export function readTypedDates(name: string, sent: SentFields): TypedDates {
  return { list: sent.text(name), more: sent.text(moreField(name)) };
}

/** The dates of a form, for `parseClosedDates`, which refuses what is no date. */
export function datesIn({ list, more }: TypedDates): string[] {
  return `${list}\n${more}`.split(/[\s,;]+/).filter((date) => date !== '');
}

/** The form after the date was added to the list. */
export function addedDate(typed: TypedDates): TypedDates {
  return typedDatesOf([...new Set(datesIn(typed))].sort());
}

/** A message of `parseClosedDates` in words. @param typed whose dates it counts. */
export function datesErrors(name: string, message: string, typed: TypedDates): FieldErrors {
  const [, index] = /^\w+\[(\d+)\] /.exec(message) ?? [];
  const date = index === undefined ? undefined : datesIn(typed)[Number(index)];
  if (date === undefined) return { [name]: message.replace(new RegExp(`^${name} `), 'Closed dates ') };
  return { [name]: `“${date.slice(0, 40)}” is no date of the calendar. Write dates as 2026-12-25` };
}
