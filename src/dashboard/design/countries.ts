import { countryCodes } from '../../domain/phone-number.js';

const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Such as `Germany (DE)`. */
export function countryName(code: string): string {
  const name = NAMES.of(code) ?? code;
  return name === code ? code : `${name} (${code})`;
}

/** Countries by their names. */
export const COUNTRIES: readonly (readonly [code: string, name: string])[] = countryCodes()
  .map((code) => [code, countryName(code)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
