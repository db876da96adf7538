import { setImmediate } from 'node:timers/promises';
import { type Statement } from '../database/transactions.js';
import { isTimeZone, zoneData } from '../domain/zones/time-zone.js';

/** How much has, or is held by, a time zone that is not known. */
export interface UnknownZones {
  agents: number;
  /** With an own zone that is not known, and with a held call or enrollment. */
  contacts: number;
  /** Pending calls that are due. At most 10,000; the same for enrollments. */
  calls: number;
  enrollments: number;
}

/** $1 {@link knownZones}. */
export const COUNT_UNKNOWN_ZONES: Statement = {
  name: 'count_unknown_zones',
  text: 'SELECT agents, contacts, calls, enrollments FROM count_unknown_zones($1)',
};

/** Zones that are looked at in one iteration of the event loop. The first look at a zone takes half a millisecond. */
const AT_ONCE = 20;

/** The names of zones that are accepted, in lower case. */
export async function knownZones(): Promise<string[]> {
  const known: string[] = [];
  for (const [n, name] of zoneData().names().entries()) {
    if (n % AT_ONCE === 0) await setImmediate();
    if (isTimeZone(name)) known.push(name.toLowerCase());
  }
  return known;
}
