import { type ForecastEnrollment, type ForecastScene } from './scene.js';

/** Made-up contacts of a forecast. */
export interface MadeUpContacts {
  count: number;
  /**
   * The time zones, assigned to the contacts in turn. Without zones, the zone of each step's agent applies.
   */
  zones: readonly string[];
}

/**
 * Enrollments of made-up contacts, made at the start of the simulated time. The contacts were never called
 * and are not on the Do Not Call list. The whitelist and the countries of the team admit them. The n-th
 * contact has the number `+1555` followed by n in seven digits.
 */
export function madeUpEnrollments(
  scene: ForecastScene,
  { count, zones }: MadeUpContacts,
): ForecastEnrollment[] {
  const enrolledAt = new Date(scene.from);
  const state = { enrolledAt, stepKey: null, paused: false, notBefore: null, attempts: [] };
  return Array.from({ length: count }, (_, index) => ({
    number: `+1555${String(index + 1).padStart(7, '0')}`,
    country: scene.team.allowedCountries?.[0] ?? null,
    contactTimezone: zones.length === 0 ? null : (zones[index % zones.length] ?? null),
    contactDeleted: false,
    whitelisted: true,
    onDoNotCall: false,
    state,
    processedAt: [],
    lastConversationAt: null,
    lawOf: null,
    otherCall: null,
    rank: scene.from,
  }));
}
