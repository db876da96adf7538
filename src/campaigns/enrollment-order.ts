import { cursorInstant, malformedCursor } from '../http/page.js';
import { isUuid } from '../http/validators.js';

/** A row's place in lists of enrollments, which begin with the newest. */
export interface EnrollmentPlace {
  /** When it was enrolled, as SQL has it in {@link PLACE}. */
  enrolled: string;
  entry: number;
  id: string;
}

/** Before every row. */
const FIRST: EnrollmentPlace = { enrolled: 'infinity', entry: 0, id: '00000000-0000-0000-0000-000000000000' };
const ENTRY = /^\d{1,9}$/;
const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** SQL: the newest first. Entries of one contact never change places, also if they are of one instant. */
export const NEWEST_FIRST = 'e.created_at DESC, e.entry DESC, e.id DESC';

/** SQL: the column of a row's place. Dates of JavaScript have milliseconds, and rows of earlier releases microseconds. */
export const PLACE = `to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS enrolled`;

/** SQL: the rows that follow a place. @param first the number of its first parameter. */
export const behind = (first: number) =>
  `(e.created_at, e.entry, e.id) < ($${first}::timestamptz, $${first + 1}::integer, $${first + 2}::uuid)`;

export const cursorOf = ({ enrolled, entry, id }: EnrollmentPlace) => [enrolled, String(entry), id];

/** The place after which a page begins, as parameters of {@link behind}. @throws AppError `INVALID_REQUEST` for a malformed cursor. */
export function placeOf(cursor: string[] | null): [enrolled: string, entry: number, id: string] {
  if (cursor === null) return [FIRST.enrolled, FIRST.entry, FIRST.id];
  const [enrolled = '', entry = '', id, ...more] = cursor;
  const isInstant = MICROSECONDS.test(enrolled) && cursorInstant(`${enrolled.slice(0, 23)}Z`) !== null;
  if (!isInstant || !ENTRY.test(entry) || !isUuid(id) || more.length > 0) throw malformedCursor();
  return [enrolled, Number(entry), id];
}
