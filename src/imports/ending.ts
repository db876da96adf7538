/**
 * How many digits an ending has. Two phone numbers rarely end with the same nine digits. These digits are the
 * same in national and international form.
 */
export const ENDING_DIGITS = 9;

/** The ending of a text without digits, and of an erased number. */
export const NO_ENDING = -1;
const NOT_A_DIGIT = /\P{Nd}/gu;
const NOT_ASCII = /[^0-9]/g;

/**
 * The last nine digits of a phone number in any spelling, as a whole number; -1 if there are no digits. An
 * erasure finds a person's rows by their endings, without parsing the rows.
 */
export function endingOf(number: unknown): number {
  if (typeof number !== 'string') return NO_ENDING;
  const digits = number
    .slice(-64)
    .replace(NOT_A_DIGIT, '')
    // Full-width and Arabic digits have their value in the last four bits.
    .replace(NOT_ASCII, (digit) => String(Math.min(9, digit.charCodeAt(0) & 0xf)))
    .slice(-ENDING_DIGITS);
  return digits === '' ? NO_ENDING : Number(digits);
}
