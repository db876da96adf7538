import { type CallingHours } from '../../../../src/domain/calling-hours.js';
import { reading, type ZoneTable, zoneTable } from '../../support/calling-hours-oracle.js';

// Knows nothing of the code under test: offsets come from Temporal, and instants are found by trying one
// minute after another.

const MINUTE = 60_000;
const DAY = 86_400_000;
const { floor, min } = Math;
// Looking up a global costs more in Jest's sandbox than the rest of a minute.
const NEVER = Infinity;

const tables = new Map<string, ZoneTable>();
export function tableOf(zone: string): ZoneTable {
  const known = tables.get(zone);
  if (known) return known;
  const table = zoneTable(zone, Date.UTC(2026, 5), Date.UTC(2028, 5));
  tables.set(zone, table);
  return table;
}

const LETTERS = { W: 7 * 1440, D: 1440, H: 60, M: 1 };

/** Minutes of the calendar, and elapsed ones, of a text of whole minutes. */
function read(text: string): { calendar: number; elapsed: number } {
  const [calendar = '', elapsed = ''] = text.slice(1).split('T');
  const sum = (part: string) =>
    [...part.matchAll(/(\d+)([WDHM])/g)].reduce(
      (total, [, digits, letter]) => total + Number(digits) * LETTERS[letter as keyof typeof LETTERS],
      0,
    );
  return { calendar: sum(calendar), elapsed: sum(elapsed) };
}

/** When the wall clock first reads what it should, or has jumped beyond; then the elapsed time. */
export function addText(from: number, text: string, table: ZoneTable): number {
  const { calendar, elapsed } = read(text);
  if (calendar === 0) return from + elapsed * MINUTE;
  const wanted = reading(table, from) + calendar * MINUTE;
  for (let at = wanted - 15 * 60 * MINUTE; ; at += MINUTE) {
    const read = reading(table, at);
    if (read < wanted) continue;
    // Clocks jump at whole minutes.
    return (read === wanted ? at : floor(at / MINUTE) * MINUTE) + elapsed * MINUTE;
  }
}

const NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** Whether a schedule is open, by what the wall clock reads. */
export function opened(hours: CallingHours, closedDates: readonly string[]): (wall: number) => boolean {
  const closed = new Set(closedDates.map((date) => Date.parse(date) / DAY));
  const windows = NAMES.map((name) =>
    (hours?.[name] ?? []).map(({ start, end }) => [minuteOf(start), minuteOf(end)] as const),
  );
  // 1970-01-01 was a Thursday.
  const begunOn = (day: number) => windows[(day + 4) % 7]!;
  return (wall) => {
    const day = floor(wall / DAY);
    if (closed.has(day)) return false;
    if (hours === null) return true;
    const minute = floor((wall - day * DAY) / MINUTE);
    for (const [start, end] of begunOn(day))
      if (minute >= start && (minute < end || end < start)) return true;
    if (closed.has(day - 1)) return false;
    for (const [start, end] of begunOn(day - 1)) if (end < start && minute < end) return true;
    return false;
  };
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The next minute, or the next of the seconds at which something may happen. */
export function nextOf(now: number, seconds: ReadonlySet<number>): number {
  if (seconds.size === 1) return now + MINUTE;
  const minute = floor(now / MINUTE) * MINUTE;
  let next = NEVER;
  for (const second of seconds) {
    if (minute + second > now) next = min(next, minute + second);
    else next = min(next, minute + MINUTE + second);
  }
  return next;
}
