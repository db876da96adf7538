/** Days for which ended calls and events are kept; `null` keeps them without end. */
export interface RetentionDays {
  callRetentionDays: number | null;
  eventRetentionDays: number | null;
}

/** The value of a team's field for which the platform's days apply, also after these change. */
export const PLATFORM_DAYS = 'platform';

/** What a team's field may be set to. */
export type TeamDays = number | null | typeof PLATFORM_DAYS;

/**
 * The fewest days. Guardrails count 30 days of calls to a number, and the calls of the current month. If
 * another rule needs older calls, the database keeps them longer: see its function `call_retention`.
 */
export const MIN_CALL_DAYS = 31;
export const MIN_EVENT_DAYS = 1;
/** A hundred years. */
export const MAX_DAYS = 36_500;

/** The stored value for "without end": in the column of a team, null stands for the platform's days. */
const WITHOUT_END = 0;

/** For a column of the platform. */
export function storedDays(days: number | null): number {
  return days ?? WITHOUT_END;
}

/** For a column of a team. */
export function storedTeamDays(days: TeamDays): number | null {
  return days === PLATFORM_DAYS ? null : storedDays(days);
}

/** @param stored a column of the platform. @returns null: without end. */
export function daysOf(stored: number): number | null {
  return stored === WITHOUT_END ? null : stored;
}

/** The days that apply to a team. @param stored the team's column. @param platform the platform's column. */
export function teamDaysOf(stored: number | null, platform: number): number | null {
  return daysOf(stored ?? platform);
}
