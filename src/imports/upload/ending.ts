/**
 * Digits that are unlikely to be those of two numbers, and are the same in national and international form.
 */
export const ENDING_DIGITS = 9;

const NONE = -1;
const NOT_A_DIGIT = /\P{Nd}/gu;
const NOT_ASCII = /[^0-9]/g;

/**
 * The last nine digits of a number in any spelling, as a whole number; -1 where there are none. By it an
 * erasure finds the rows of a person without reading them.
 */
export function endingOf(number: unknown): number {
  if (typeof number !== 'string') return NONE;
  const digits = number
    .slice(-64)
    .replace(NOT_A_DIGIT, '')
    // Full-width and Arabic digits have their value in the last four bits.
    .replace(NOT_ASCII, (digit) => String(Math.min(9, digit.charCodeAt(0) & 0xf)))
    .slice(-ENDING_DIGITS);
  return digits === '' ? NONE : Number(digits);
}
