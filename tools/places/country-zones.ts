import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import latest from 'moment-timezone/data/packed/latest.json';
import { zoneData } from '../../src/domain/zones/time-zone.js';

/** Clocks are compared from the day on which the last law of 2026 changed one, to the end of the data's rules. */
const SINCE = Date.UTC(2026, 10, 1);
const UNTIL = Date.UTC(2037, 0);
const JANUARY = Date.UTC(2027, 0, 15);

const zonesByCountry = new Map(
  latest.countries.map((line) => {
    const [country = '', zones = ''] = line.split('|');
    return [country, zones.split(' ')];
  }),
);

/** The zones that IANA lists for a country or territory (ISO 3166); none for one that it does not list. */
export function zonesOfCountry(country: string): readonly string[] {
  return zonesByCountry.get(country) ?? [];
}

/** The countries and territories of a calling code, such as `61`. */
export function countriesOfCode(code: string): string[] {
  return getCountries().filter((country) => getCountryCallingCode(country) === code);
}

/** Whether two clocks read the same from now on, as far as laws are known. */
export function readAlike(one: string, other: string): boolean {
  for (let at = SINCE; at < UNTIL;) {
    const [first, second] = [segmentAt(one, at), segmentAt(other, at)];
    if (first.offset !== second.offset) return false;
    at = Math.min(first.until, second.until);
  }
  return true;
}

const segmentAt = (name: string, at: number) => {
  const zone = zoneData().zone(name);
  if (zone === undefined) throw new RangeError(`${name} is not known`);
  return zone.at(at);
};

/** The zones in which numbers of some countries can be, and how the map's zones are read. */
export class CandidateZones {
  private readonly all: readonly string[];
  /** Those that no other country has. IANA also lists the zone of a neighbour whose clock has always read the same. */
  private readonly own: readonly string[];

  constructor(private readonly countryCodes: readonly string[]) {
    this.all = [...new Set(countryCodes.flatMap(zonesOfCountry))];
    this.own = this.all.filter((zone) => this.isOwn(zone));
  }

  private isOwn(zone: string): boolean {
    return [...zonesByCountry].every(
      ([country, zones]) => this.countryCodes.includes(country) || !zones.includes(zone),
    );
  }

  /**
   * The map names the best known zone of those whose clocks read the same in 2018, also one of another country: Bucharest
   * for Kaliningrad, Paris for Algiers. It is replaced by the country's own zone with the same clock, else by those with
   * the same offset in January, else by all.
   */
  read(zone: string): readonly string[] {
    if (this.all.length === 0 || this.all.includes(zone)) return [zone];
    const alike = [...this.own, ...this.all].find((one) => readAlike(one, zone));
    if (alike !== undefined) return [alike];
    const offset = segmentAt(zone, JANUARY).offset;
    const inJanuary = this.all.filter((one) => segmentAt(one, JANUARY).offset === offset);
    return inJanuary.length > 0 ? inJanuary : this.all;
  }

  /** Those zones, and the countries' own ones whose clocks read otherwise than each of them. */
  complete(zones: readonly string[]): string[] {
    const complete = [...zones];
    for (const zone of this.own.length > 0 ? this.own : this.all) {
      if (!complete.some((one) => readAlike(one, zone))) complete.push(zone);
    }
    return complete;
  }
}
