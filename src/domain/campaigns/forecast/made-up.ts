import { type ForecastEnrollment, type ForecastScene } from './scene.js';

/** Made-up contacts of a forecast. */
export interface MadeUpContacts {
  count: number;
  /** Given to them in turn; without any, the zone of each step's agent is theirs. */
  zones: readonly string[];
}

/**
 * Contacts that are enrolled as the clock begins. They were never called, and no list names them: the
 * whitelist and the countries of the team let them pass. The n-th has the number `+1555` and seven digits of
 * n.
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
    otherCall: null,
    rank: scene.from,
  }));
}
