import { numbersOfPerson } from '../../domain/person-number.js';
import { asciiDigits } from '../../domain/phone-number.js';
import { isUuid } from '../../http/validators.js';
import { parseSoughtNumber } from '../../domain/sought-number.js';

/** The most characters of a search that are read. */
const MOST_CHARACTERS = 200;
/** Fewer digits would be those of too many numbers. */
const LEAST_DIGITS = 5;
/** A text that a person may mean as a number. */
const LIKE_A_NUMBER = /^[+＋\d\p{Nd}\s().\-–—/]+$/u;

/** What a text may mean. A part is null where the text cannot mean it. */
export interface Sought {
  text: string;
  /** In lower case. */
  id: string | null;
  /** The forms of one person's number in E.164. */
  numbers: string[] | null;
  /** The last digits of numbers, from the last to the first. */
  lastDigits: string | null;
  /** The spellings under which an address may be stored. */
  emails: string[] | null;
  /** The beginning of a name. */
  name: string | null;
}

/**
 * Reads what was typed into the field.
 *
 * @param country in which a number in national form is read; null: such a number is sought by its last digits.
 */
export function readSought(typed: string, country: string | null): Sought {
  const text = typed.replaceAll('\0', '').trim().slice(0, MOST_CHARACTERS);
  const number = LIKE_A_NUMBER.test(text) ? parseSoughtNumber(country, text) : null;
  // The zero before a national number is in no number as it is stored.
  const digits = number === null || number.ok ? '' : asciiDigits(text).replace(/^0+/, '');
  const isEmail = /^\S+@\S+$/.test(text);
  return {
    text,
    id: isUuid(text) ? text.toLowerCase() : null,
    numbers: number?.ok ? numbersOfPerson(number.e164) : null,
    lastDigits: digits.length >= LEAST_DIGITS ? [...digits].reverse().join('') : null,
    emails: isEmail ? [...new Set([text, text.toLowerCase()])] : null,
    name: text === '' || isUuid(text) || isEmail ? null : text,
  };
}
