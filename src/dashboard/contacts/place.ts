import { jurisdictionsOf } from '../../domain/compliance/jurisdictions-of.js';
import { type Place, type PlaceSource } from '../../domain/compliance/place.js';
import { placeOf, statedPlace } from '../../domain/compliance/place-of.js';
import { isTimeZone } from '../../domain/zones/time-zone.js';
import { timeIn } from '../design/local-time.js';

/** Where a person may be, by the rules by which calls are decided. */
export interface PersonPlace extends Place {
  /** ISO 3166 codes and `EU`. */
  jurisdictions: string[];
}

/** @param zone of the contact. @param defaultCountry of the team. */
export function placeOfPerson(
  phoneNumber: string,
  zone: string | null,
  defaultCountry: string | null,
): PersonPlace {
  const place =
    zone !== null && isTimeZone(zone)
      ? statedPlace(zone, phoneNumber, defaultCountry)
      : placeOf(phoneNumber, defaultCountry);
  const ofCountry = place.country === null ? [] : jurisdictionsOf(place.country);
  return { ...place, jurisdictions: [...new Set([...ofCountry, ...place.regions])] };
}

/** How the zones are known, as it is told beside them. */
export const SOURCE_WORDS: Record<PlaceSource, string> = {
  stated: 'as the contact has it',
  areaCode: 'by the area code',
  prefix: 'by the prefix of the number',
  country: 'by the country of the number: the person may be in any of them',
  unknown: 'the number does not tell',
};

/** The time at the place, such as `Fri 2026-11-20 09:00`; with several clocks, the earliest and the latest. */
export function timeAt(zones: readonly string[], now: Date): string | null {
  const times = [...new Set(zones.map((zone) => timeIn(zone, now)))].sort(
    (one, other) => Number(one.slice(4) > other.slice(4)) - Number(one.slice(4) < other.slice(4)),
  );
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  return first === last ? first : `${first} to ${last}`;
}
