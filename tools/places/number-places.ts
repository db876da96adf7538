import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { AREA_CODE_CORRECTIONS, AREA_DIGITS, PREFIX_CORRECTIONS } from './corrections.js';
import { CandidateZones, countriesOfCode } from './country-zones.js';
import { OTHER_AREA_CODES, statesIn } from './states.js';

/** The maps of libphonenumber, by the first digits of numbers with their calling code. */
export interface PhoneMaps {
  /** Names of zones with `&` between them, of `timezones/map_data.txt`. */
  zones: ReadonlyMap<string, string>;
  /** Descriptions such as `Florida`, of `geocoding/en/1.txt`. */
  areas: ReadonlyMap<string, string>;
}

export const NUMBER_PLACES_FILE = 'src/domain/compliance/number-places.generated.ts';

/** The text of {@link NUMBER_PLACES_FILE}. */
export function numberPlacesFile(maps: PhoneMaps): string {
  const areaCodes = areaCodeZones(maps.zones);
  const regions = new Map([...areaCodes.keys()].map((code) => [code, placeOfAreaCode(code, maps.areas)]));
  const sections = [
    {
      name: 'AREA_CODE_ZONES',
      comment: 'The zones of the area codes of +1.',
      text: byValue(areaCodes),
    },
    {
      name: 'AREA_CODE_REGIONS',
      comment:
        'The countries and the states of the area codes of +1. Several states: the area code is that of all of them.',
      text: byValue(
        new Map([...regions].map(([code, { country, regions: all }]) => [code, [country, ...all]])),
      ),
    },
    {
      name: 'COUNTRY_ZONES',
      comment: 'The zones of the countries of +1.',
      text: byValue(zonesOfNorthAmerica(areaCodes, regions)),
    },
    {
      name: 'PREFIX_ZONES',
      comment:
        'The zones of other numbers by their first digits, of which the longest count; by a calling code alone, all zones of its countries.',
      text: byValue(prefixZones(maps.zones)),
    },
  ];
  const constants = sections.map(
    ({ name, comment, text }) => `/** ${comment} */\nexport const ${name} = \`\n${text}\n\`;\n`,
  );
  return [HEADER, ...constants].join('\n');
}

const HEADER = `// Written by \`npm run places\`; tools/places/ says how. Derived from resources/timezones/map_data.txt and
// resources/geocoding/en/1.txt of libphonenumber, Copyright (C) The Libphonenumber Authors, under the Apache
// License 2.0 (licenses/), with corrections and with zones of IANA's data. Each line has a value, and the first
// digits of the numbers that have it.
`;

/** For each area code, the union over its exchanges, since a number that was ported keeps its exchange. */
function areaCodeZones(map: ReadonlyMap<string, string>): Map<string, string[]> {
  const zones = new Map<string, Set<string>>();
  for (const [prefix, names] of map) {
    if (!prefix.startsWith('1') || prefix.length < 4) continue;
    const code = prefix.slice(1, 4);
    const all = zones.get(code) ?? new Set();
    for (const name of names.split('&')) all.add(name);
    zones.set(code, all);
  }
  for (const { areaCodes, zones: right, instead } of AREA_CODE_CORRECTIONS) {
    for (const code of areaCodes) {
      zones.set(code, new Set([...(instead ? [] : (zones.get(code) ?? [])), ...right]));
    }
  }
  return new Map([...zones].map(([code, all]) => [code, [...all].sort()]));
}

interface AreaCodePlace {
  country: string;
  regions: readonly string[];
}

/** By the description of the area code, else by the one state that all descriptions of its exchanges name. */
function placeOfAreaCode(code: string, areas: ReadonlyMap<string, string>): AreaCodePlace {
  const other = OTHER_AREA_CODES[code];
  if (other !== undefined) return other;
  const whole = areas.get(`1${code}`);
  const regions =
    whole === undefined
      ? [...areas].flatMap(([prefix, area]) => (prefix.startsWith(`1${code}`) ? statesIn(area) : []))
      : statesIn(whole);
  const different = [...new Set(regions)].sort();
  const [first] = different;
  if (first === undefined || (whole === undefined && different.length > 1)) {
    throw new RangeError(`the state of the area code ${code} is not certain: ${different.join(', ')}`);
  }
  return { country: first.slice(0, 2), regions: different };
}

/** The zones of a country's area codes, and those of IANA in which no number of the map is. */
function zonesOfNorthAmerica(
  areaCodes: ReadonlyMap<string, readonly string[]>,
  places: ReadonlyMap<string, AreaCodePlace>,
): Map<string, string[]> {
  const zones = new Map<string, string[]>();
  for (const [code, { country }] of places) {
    zones.set(country, [...(zones.get(country) ?? []), ...(areaCodes.get(code) ?? [])]);
  }
  return new Map(
    [...zones].map(([country, names]) => [
      country,
      [...new Set(new CandidateZones([country]).complete(names))].sort(),
    ]),
  );
}

/** The map without exchanges: the zones of an exchange are added to those of its area. */
function areasOf(map: ReadonlyMap<string, string>): Map<string, string[]> {
  const zones = new Map<string, Set<string>>();
  for (const [prefix, names] of map) {
    if (prefix.startsWith('1')) continue;
    const area = prefix.slice(0, AREA_DIGITS[callingCodeOf(prefix)] ?? prefix.length);
    const all = zones.get(area) ?? new Set();
    for (const name of names.split('&')) all.add(name);
    zones.set(area, all);
  }
  return new Map([...zones].sort().map(([area, all]) => [area, [...all]]));
}

/** Prefixes with the zones of the next shorter prefix are left out. */
function prefixZones(map: ReadonlyMap<string, string>): Map<string, string[]> {
  const zones = new Map<string, string[]>();
  const candidates = new Map<string, CandidateZones>();
  for (const [prefix, names] of areasOf(map)) {
    const code = callingCodeOf(prefix);
    let countries = candidates.get(code);
    if (countries === undefined) {
      candidates.set(code, (countries = new CandidateZones(countriesOfCode(code))));
    }
    const read = [...new Set(names.flatMap((name) => countries.read(name)))];
    for (const { prefix: shorter, zone, others } of PREFIX_CORRECTIONS) {
      if (prefix.startsWith(shorter) && read.includes(zone)) read.push(...others);
    }
    const sorted = [...new Set(prefix === code ? countries.complete(read) : read)].sort();
    if (String(sorted) !== String(longestOf(zones, prefix))) zones.set(prefix, sorted);
  }
  return zones;
}

function longestOf(zones: ReadonlyMap<string, string[]>, prefix: string): string[] | undefined {
  for (let length = prefix.length - 1; length > 0; length--) {
    const found = zones.get(prefix.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

const CALLING_CODES: ReadonlySet<string> = new Set(
  getCountries().map((country) => getCountryCallingCode(country)),
);

/** No calling code begins with another one. */
function callingCodeOf(prefix: string): string {
  const code = [1, 2, 3].map((length) => prefix.slice(0, length)).find((one) => CALLING_CODES.has(one));
  if (code === undefined) throw new RangeError(`${prefix} has no calling code`);
  return code;
}

/** A line for each value, sorted: the texts of the value, a colon, and the keys that have it. */
function byValue(values: ReadonlyMap<string, readonly string[]>): string {
  const keys = new Map<string, string[]>();
  for (const [key, texts] of values) {
    const value = [...texts].join(' ');
    keys.set(value, [...(keys.get(value) ?? []), key]);
  }
  return [...keys]
    .map(([value, all]) => `${value}: ${all.sort().join(' ')}`)
    .sort()
    .join('\n');
}
