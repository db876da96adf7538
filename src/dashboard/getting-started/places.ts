import { type CountryCode, getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { isCountryCode, parsePhoneNumber } from '../../domain/phone-number.js';
import { zoneData } from '../../domain/zones/time-zone.js';

const NAMES = new Intl.DisplayNames('en', { type: 'region' });
/** Names of places, without those that are offsets or of one country's own, such as `US/Eastern`. */
const PLACE = /^(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;

/** An ISO 3166 code and its name in English, by name. */
export const COUNTRIES: readonly (readonly [code: string, name: string])[] = getCountries()
  .map((code) => [code, countryName(code)] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'en'));

/** @returns the code itself, if it has no name. */
export function countryName(code: string): string {
  return NAMES.of(code) ?? code;
}

/** The names of time zones that a form offers, by name. */
export function zoneNames(): string[] {
  return [
    ...new Set(
      zoneData()
        .names()
        .filter((name) => PLACE.test(name)),
    ),
  ].sort();
}

/** Numbers of a country for calls that the simulator plays: one to call from, and two to call. */
export interface ExampleNumbers {
  from: string;
  testCall: string;
  request: string;
}

/** @param country null: numbers of the United States. */
export function exampleNumbers(country: string | null): ExampleNumbers {
  const code: CountryCode = country !== null && isCountryCode(country) ? country : 'US';
  const example = getExampleNumber(code, examples)?.number ?? '+12015550123';
  const valid = [...'0123456789'].flatMap((digit) => {
    const read = parsePhoneNumber(example.slice(0, -1) + digit, null);
    return read.ok ? [read.e164] : [];
  });
  const [from = example, testCall = example, request = example] = valid;
  return { from, testCall, request };
}
