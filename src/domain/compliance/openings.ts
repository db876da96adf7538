import { isOpen, nextOpening, type Schedule } from '../calling-hours.js';
import { isOpenInAll, type LawfulHours, nextOpeningInAll } from './lawful-hours.js';

/**
 * Whether a call is allowed at `at` by the agent's schedule in its zone, and by the law. Throws a RangeError for an
 * unknown zone.
 */
export function isOpenLawfully(
  schedule: Schedule,
  zone: string,
  lawful: readonly LawfulHours[],
  at: Date,
): boolean {
  return isOpen(schedule, zone, at) && (lawful.length === 0 || isOpenInAll(lawful, at));
}

/**
 * The first instant at or after `from` at which {@link isOpenLawfully} holds; null: the agent's hours and those of the law
 * have no common opening. Without lawful hours there always is one.
 */
export function nextLawfulOpening(
  schedule: Schedule,
  zone: string,
  lawful: readonly LawfulHours[],
  from: Date,
): Date | null {
  return lawful.length === 0
    ? nextOpening(schedule, zone, from)
    : nextOpeningInAll(schedule, zone, lawful, from);
}
