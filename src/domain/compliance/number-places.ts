import {
  AREA_CODE_REGIONS,
  AREA_CODE_ZONES,
  COUNTRY_ZONES,
  PREFIX_ZONES,
} from './number-places.generated.js';
import { type Place } from './place.js';

/** Where the numbers of the world are, by their digits. */
export interface NumberPlaces {
  /** By the area code of a number of +1, without the 1. */
  areaCodes: ReadonlyMap<string, Place>;
  /** The zones of the countries of +1, by ISO 3166-1. */
  northAmerica: ReadonlyMap<string, readonly string[]>;
  /** The zones of other numbers by first digits that begin with the calling code; of that alone, all of its countries. */
  prefixes: ReadonlyMap<string, readonly string[]>;
}

let places: NumberPlaces | undefined;

/** The table, read at its first use: a process whose teams judge no places never reads it. */
export function numberPlaces(): NumberPlaces {
  places ??= readTable();
  return places;
}

function readTable(): NumberPlaces {
  const regions = byKey(AREA_CODE_REGIONS);
  const areaCodes = [...byKey(AREA_CODE_ZONES)].map(([code, zones]): [string, Place] => {
    const [country = null, ...states] = regions.get(code) ?? [];
    return [code, { zones, source: 'areaCode', country, regions: states }];
  });
  return {
    areaCodes: new Map(areaCodes),
    northAmerica: byKey(COUNTRY_ZONES),
    prefixes: byKey(PREFIX_ZONES),
  };
}

/** Reads lines of a value, which is several texts, and the keys that have it. */
function byKey(table: string): Map<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const line of table.trim().split('\n')) {
    const [texts = '', keys = ''] = line.split(': ');
    const value = texts.split(' ');
    for (const key of keys.split(' ')) values.set(key, value);
  }
  return values;
}
