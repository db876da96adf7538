/** What the map has wrong or leaves out about an area code of +1. */
interface Correction {
  areaCodes: readonly string[];
  zones: readonly string[];
  /** Whether the zones take the place of the map's. Otherwise they are added to them. */
  instead?: true;
  why: string;
}

/**
 * Corrections of the map. An overlay serves the same area as the older code, and the map often knows only the zone in which
 * most of its first numbers were given out.
 */
export const AREA_CODE_CORRECTIONS: readonly Correction[] = [
  { areaCodes: ['986'], zones: ['America/Denver'], why: 'overlay of 208' },
  { areaCodes: ['448'], zones: ['America/Chicago'], why: 'overlay of 850' },
  { areaCodes: ['458'], zones: ['America/Boise'], why: 'overlay of 541, with Malheur County' },
  { areaCodes: ['364'], zones: ['America/Chicago'], why: 'overlay of 270' },
  { areaCodes: ['930'], zones: ['America/Chicago'], why: 'overlay of 812' },
  { areaCodes: ['689'], zones: ['America/New_York'], instead: true, why: 'overlay of 407, Orlando' },
  { areaCodes: ['474'], zones: ['America/Regina'], instead: true, why: 'overlay of 306 and 639' },
  {
    areaCodes: ['367', '581'],
    zones: ['America/Halifax'],
    why: 'overlays of 418, with the Magdalen Islands',
  },
  {
    areaCodes: ['367', '418', '581'],
    zones: ['America/Blanc-Sablon'],
    why: 'Quebec east of 63° W has Atlantic time without daylight time',
  },
  { areaCodes: ['879'], zones: ['America/Halifax'], why: 'overlay of 709, with Labrador' },
  {
    areaCodes: ['236', '257', '672', '778'],
    zones: ['America/Edmonton'],
    why: 'overlays of 250, with the East Kootenay',
  },
  { areaCodes: ['807'], zones: ['America/Atikokan'], why: 'Atikokan has no daylight time' },
  {
    areaCodes: ['867'],
    zones: ['America/Cambridge_Bay', 'America/Rankin_Inlet', 'America/Whitehorse'],
    why: 'Nunavut no longer goes with Edmonton and Winnipeg, nor Yukon with Vancouver',
  },
];

/** By the prefix of numbers: where they have one zone, they have the others as well. */
export const PREFIX_CORRECTIONS: readonly {
  prefix: string;
  zone: string;
  others: readonly string[];
  why: string;
}[] = [
  {
    prefix: '618',
    zone: 'Australia/Adelaide',
    others: ['Australia/Darwin'],
    why: 'the map’s zones of 2018 do not tell the Northern Territory from South Australia',
  },
];

/**
 * The digits of calling code and area code, where the map tells exchanges of an area apart. Numbers are ported within the
 * area, so that an exchange tells nothing.
 */
export const AREA_DIGITS: Readonly<Record<string, number>> = { 55: 4, 56: 4, 61: 3 };
