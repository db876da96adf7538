import { cursorInstant, malformedCursor } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';

/** A row's position in lists of enrollments, which begin with the newest. */
export interface EnrollmentCursor {
  /** The instant of the enrollment, as {@link ENROLLED} formats it. */
  enrolled: string;
  entry: number;
  id: string;
}

/** The cursor before the first row of every list. */
const FIRST: EnrollmentCursor = {
  enrolled: 'infinity',
  entry: 0,
  id: '00000000-0000-0000-0000-000000000000',
};
const ENTRY = /^\d{1,9}$/;
const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** SQL: the newest first. The entries of one contact keep their order, even if their instants are equal. */
export const NEWEST_FIRST = 'e.created_at DESC, e.entry DESC, e.id DESC';

/** SQL: the column `enrolled` of {@link EnrollmentCursor}, with microseconds, which a JavaScript date cannot hold. */
export const ENROLLED = `to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS enrolled`;

/** SQL: the rows after a cursor. @param first the index of the first of its three parameters. */
export const afterCursor = (first: number) =>
  `(e.created_at, e.entry, e.id) < ($${first}::timestamptz, $${first + 1}::integer, $${first + 2}::uuid)`;

export const cursorOf = ({ enrolled, entry, id }: EnrollmentCursor) => [enrolled, String(entry), id];

/**
 * The cursor of a page, as parameters of {@link afterCursor}.
 * @throws AppError `INVALID_REQUEST` for a malformed cursor.
 */
export function cursorParameters(cursor: string[] | null): [enrolled: string, entry: number, id: string] {
  if (cursor === null) return [FIRST.enrolled, FIRST.entry, FIRST.id];
  const [enrolled = '', entry = '', id, ...more] = cursor;
  const isInstant = MICROSECONDS.test(enrolled) && cursorInstant(`${enrolled.slice(0, 23)}Z`) !== null;
  if (!isInstant || !ENTRY.test(entry) || !isUuid(id) || more.length > 0) throw malformedCursor();
  return [enrolled, Number(entry), id];
}
