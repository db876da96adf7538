import { type Transitions } from './packed-zones.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** In ten years, the days after February begin on every weekday. */
const OBSERVED_YEARS = 10;

/** A change of the clock that happens each year. */
interface YearlyChange {
  /** The earliest instant within a year in which it can happen, in milliseconds after the year's begin. */
  earliest: number;
  /** The instant modulo a week. Weekday and time of day are therefore the same each year. */
  phase: number;
  /** The offset that it begins, in milliseconds. */
  offset: number;
}

/**
 * The changes of a zone after the end of the data, which hold every year: such as `the last Sunday of March
 * at 01:00 UTC`. Undefined if the last years of the data do not repeat such changes.
 *
 * @param lastYear the last year of the data. A zone without a change in this year has no yearly changes.
 */
export function yearlyChanges(
  { starts, offsets }: Transitions,
  lastYear: number,
): readonly YearlyChange[] | undefined {
  const years: { after: number; at: number; offset: number }[][] = [];
  for (let year = lastYear; year > lastYear - OBSERVED_YEARS; year -= 1) years.push([]);
  for (const [n, at] of starts.entries()) {
    const year = yearOf(at);
    years[lastYear - year]?.push({ after: at - beginOf(year), at, offset: offsets[n + 1]! });
  }
  const count = years[0]?.length ?? 0;
  if (count === 0 || years.some((year) => year.length !== count)) return undefined;
  const changes: YearlyChange[] = [];
  for (let n = 0; n < count; n += 1) {
    const observed = years.flatMap((year) => year[n] ?? []);
    const earliest = Math.min(...observed.map(({ after }) => after));
    const latest = Math.max(...observed.map(({ after }) => after));
    const [phase, ...otherPhases] = new Set(observed.map(({ at }) => at % WEEK_MS));
    const [offset, ...otherOffsets] = new Set(observed.map((one) => one.offset));
    if (phase === undefined || offset === undefined) return undefined;
    if (otherPhases.length + otherOffsets.length > 0 || latest - earliest >= WEEK_MS) return undefined;
    changes.push({ earliest, phase, offset });
  }
  return changes;
}

/** The instant and the offset of each change in a year, in order. */
export function changesIn(changes: readonly YearlyChange[], year: number): { at: number; offset: number }[] {
  return changes.map(({ earliest, phase, offset }) => {
    const from = beginOf(year) + earliest;
    return { at: from + ((((phase - from) % WEEK_MS) + WEEK_MS) % WEEK_MS), offset };
  });
}

/** Years begin in March: the distance of a date from 1 March does not depend on leap years. */
export function yearOf(instant: number): number {
  const date = new Date(instant);
  return date.getUTCFullYear() - (date.getUTCMonth() < 2 ? 1 : 0);
}

function beginOf(year: number): number {
  return Date.UTC(year, 2);
}
