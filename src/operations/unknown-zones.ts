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

/** The names of zones that are accepted, in lower case. */
export function knownZones(): string[] {
  return zoneData()
    .names()
    .filter(isTimeZone)
    .map((name) => name.toLowerCase());
}
