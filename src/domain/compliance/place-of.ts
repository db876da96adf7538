import { type PhoneNumber } from 'libphonenumber-js/max';
import { readNumber } from '../phone-number.js';
import { numberPlaces } from './number-places.js';
import { type Place } from './place.js';

/** A number of +1 in E.164, with its area code. */
const NORTH_AMERICAN = /^\+1([2-9]\d\d)[2-9]\d{6}$/;

/** The longest prefix of the table. */
const MAX_PREFIX = 9;

const UNKNOWN: Place = { zones: [], source: 'unknown', country: null, regions: [] };

/**
 * ISO 3166-2 of the territories that have a country code and a calling code of their own, and in which the law of another
 * country holds.
 */
const REGIONS_OF_TERRITORIES: Readonly<Record<string, readonly string[]>> = {
  AX: ['FI-01'],
  BL: ['FR-BL'],
  GF: ['FR-973'],
  GP: ['FR-971'],
  MF: ['FR-MF'],
  MQ: ['FR-972'],
  PM: ['FR-PM'],
  RE: ['FR-974'],
  SJ: ['NO-21', 'NO-22'],
  YT: ['FR-976'],
};

/**
 * Where the person is whose number it is, as far as the number tells. A number of +1 with an area code has the zones of the
 * area code, whatever its exchange: numbers are ported within an area. Another fixed-line number has the zones of its
 * prefix. A mobile number, a toll-free one, and any other that names no place, has all zones of its country calling code; of
 * +1, all of its country. Does not throw.
 *
 * @param e164 `+` and digits. Any other text is of an unknown place.
 * @param defaultCountry of the team, ISO 3166. A number of +1 that is of no certain country is of this one, if it is one of
 *   +1; otherwise it is of the United States.
 */
export function placeOf(e164: string, defaultCountry: string | null = null): Place {
  const { areaCodes, northAmerica, prefixes } = numberPlaces();
  const areaCode = NORTH_AMERICAN.exec(e164)?.[1];
  const ofArea = areaCode === undefined ? undefined : areaCodes.get(areaCode);
  if (ofArea !== undefined) return ofArea;

  const number = readNumber(e164, null);
  if (number === null) return UNKNOWN;
  const type = number.getType();
  const code: string = number.countryCallingCode;
  const country = countryOf(number, defaultCountry);
  const regions = REGIONS_OF_TERRITORIES[country ?? ''] ?? [];
  if (code === '1') {
    // An area code that neither the table nor the numbering plan knows may be of any country of +1.
    const zones = type === undefined ? undefined : northAmerica.get(country ?? '');
    return { zones: zones ?? [], source: zones === undefined ? 'unknown' : 'country', country, regions };
  }
  const ofPrefix = type === 'FIXED_LINE' ? zonesOfPrefix(number.number.slice(1)) : undefined;
  if (ofPrefix !== undefined) return { zones: ofPrefix, source: 'prefix', country, regions };
  const zones = prefixes.get(code);
  return { zones: zones ?? [], source: zones === undefined ? 'unknown' : 'country', country, regions };
}

/** As {@link placeOf}, for a person whose zone the request or the contact states. The jurisdictions are those of the number. */
export function statedPlace(zone: string, e164: string, defaultCountry: string | null = null): Place {
  const { country, regions } = placeOf(e164, defaultCountry);
  return { zones: [zone], source: 'stated', country, regions };
}

function countryOf(number: PhoneNumber, defaultCountry: string | null): string | null {
  const country = number.country ?? number.getPossibleCountries()[0] ?? null;
  const isUncertain = number.countryCallingCode === '1' && (country === 'US' || country === null);
  if (!isUncertain || number.getType() === 'FIXED_LINE_OR_MOBILE') return country;
  return defaultCountry !== null && numberPlaces().northAmerica.has(defaultCountry) ? defaultCountry : 'US';
}

/** The zones of the longest prefix that the table has. */
function zonesOfPrefix(digits: string): readonly string[] | undefined {
  const { prefixes } = numberPlaces();
  for (let length = MAX_PREFIX; length > 0; length--) {
    const zones = prefixes.get(digits.slice(0, length));
    if (zones !== undefined) return zones;
  }
  return undefined;
}
