import { type Configuration } from '../../../src/configuration.js';

export interface Variable {
  property: keyof Configuration;
  /** null: it must be set; undefined: it may stay unset. */
  unset: unknown;
  good: readonly (readonly [text: string, value: unknown])[];
  bad: readonly string[];
  /** What it needs beside it. */
  beside?: Record<string, string>;
}

export const HOUR_MS = 3_600_000;

export const texts = (...values: string[]) => values.map((text) => [text, text] as const);

/** A whole number within these bounds; the spellings that `Number` would take as well are refused. */
export function wholeNumber(
  property: keyof Configuration,
  unset: unknown,
  min: number,
  max: number,
): Variable {
  return {
    property,
    unset,
    good: [min, min + 1, max].map((value) => [String(value), value]),
    bad: [
      String(min - 1),
      String(max + 1),
      '1e400',
      '99999999999999999999',
      'many',
      '12.5',
      '0x10',
      '1e3',
      '+80',
      '8_0',
      ' ',
      ' 80',
      'NaN',
      'Infinity',
      'true',
      '[8080]',
      '８０',
    ],
  };
}
