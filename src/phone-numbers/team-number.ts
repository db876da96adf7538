import { setImmediate as othersTurn } from 'node:timers/promises';
import {
  MAX_PHONE_NUMBER_TEXT,
  type ParsedPhoneNumber,
  parseOptOutNumber,
  parsePhoneNumber,
} from '../domain/phone-number.js';
import { invalid } from '../http/app-error.js';
import { type TeamOfNumbers } from '../teams/own-team.service.js';

const NUMBERS_A_TURN = 100;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether a value has the shape of E.164, as every stored number has. */
export function isE164(value: unknown): value is string {
  return typeof value === 'string' && E164.test(value);
}

/**
 * A number as an operator writes it, national form included where the team has a default country, in E.164.
 *
 * @throws AppError `INVALID_REQUEST` naming `field`.
 */
export function readTeamNumber(team: TeamOfNumbers, input: unknown, field: string): string {
  const parsed = parsePhoneNumber(input, team.defaultCountry, field);
  if (!parsed.ok) throw invalid(parsed.message);
  return parsed.e164;
}

/** An item of a list that is no phone number. */
export interface RejectedNumber {
  /** As it was sent; long text is cut, and what is no string is shown as JSON. */
  phoneNumber: string;
  /** Names the item, such as `phoneNumbers[3] is not a valid phone number`. */
  error: string;
}

/** A list of numbers, read. */
export interface NumberList {
  /** E.164, without repetitions, in ascending order, which is also the order that locks are taken in. */
  numbers: string[];
  /** In the order of the request. */
  rejected: RejectedNumber[];
}

/**
 * Several numbers; one that cannot be read keeps no other off the list.
 *
 * @param parse how one number is read.
 * @throws AppError `INVALID_REQUEST` naming the items, where none can be read.
 */
export async function readTeamNumbers(
  team: TeamOfNumbers,
  inputs: readonly unknown[],
  field: string,
  parse: (input: unknown, country: string | null, field: string) => ParsedPhoneNumber = parsePhoneNumber,
): Promise<NumberList> {
  const numbers = new Set<string>();
  const rejected: RejectedNumber[] = [];
  for (const [index, input] of inputs.entries()) {
    // Thousands take a second: other requests are answered in between.
    if (index % NUMBERS_A_TURN === 0) await othersTurn();
    const parsed = parse(input, team.defaultCountry, `${field}[${index}]`);
    if (parsed.ok) numbers.add(parsed.e164);
    else rejected.push({ phoneNumber: shortText(input), error: parsed.message });
  }
  if (numbers.size === 0 && rejected.length > 0) throw invalid(...rejected.map(({ error }) => error));
  return { numbers: [...numbers].sort(), rejected };
}

/**
 * The number that an address names, or null if it names none. One that is stored may have left the numbering
 * plans since, so E.164 is taken as it is.
 */
export function numberInAddress(team: TeamOfNumbers, text: string): string | null {
  const parsed = parseOptOutNumber(text, team.defaultCountry);
  if (parsed.ok) return parsed.e164;
  return isE164(text) ? text : null;
}

function shortText(input: unknown): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  if (text.length <= MAX_PHONE_NUMBER_TEXT) return text;
  // Half a surrogate pair would be no text.
  return `${text.slice(0, MAX_PHONE_NUMBER_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
