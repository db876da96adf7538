import { setImmediate as othersTurn } from 'node:timers/promises';
import { type OptOutNumbers } from '../domain/opt-out-numbers.js';
import { MAX_PHONE_NUMBER_TEXT, parsePhoneNumber, parseStoredNumber } from '../domain/phone-number.js';
import { isE164, parseSoughtNumber } from '../domain/sought-number.js';
import { invalid } from '../http/app-error.js';
import { type TeamOfNumbers } from '../teams/own-team.service.js';

const NUMBERS_A_TURN = 100;
/**
 * Reads a phone number and returns it in E.164. The national form requires the team's default country.
 *
 * @throws AppError `INVALID_REQUEST` naming `field`.
 */
export function readTeamNumber(team: TeamOfNumbers, input: unknown, field: string): string {
  const parsed = parsePhoneNumber(input, team.defaultCountry, field);
  if (!parsed.ok) throw invalid(parsed.message);
  return parsed.e164;
}

/** As {@link parseSoughtNumber}. @throws AppError `INVALID_REQUEST` naming `field`. */
export function readSoughtNumber(team: TeamOfNumbers, input: unknown, field: string): string {
  const parsed = parseSoughtNumber(team.defaultCountry, input, field);
  if (!parsed.ok) throw invalid(parsed.message);
  return parsed.e164;
}

/** An item of a list that was not accepted as a phone number. */
export interface RejectedNumber {
  /** The item as it was sent. Long text is cut, and a value that is not a string is shown as JSON. */
  phoneNumber: string;
  /** Names the item, such as `phoneNumbers[3] is not a valid phone number`. */
  error: string;
}

/** An accepted item of a list. */
export interface ListedNumber {
  /** The item as it was sent. Long text is cut. */
  given: string;
  /** E.164; several where the item can be read as several numbers. */
  phoneNumbers: string[];
}

/** The accepted and the rejected items of a list. */
export interface NumberList {
  /** E.164, without repetitions, in ascending order. Locks are acquired in the same order. */
  numbers: string[];
  /** In the order of the request. */
  listed: ListedNumber[];
  /** In the order of the request. */
  rejected: RejectedNumber[];
}

/** Reads an item of a list for the team. `field` names the item in messages. */
type ItemParser = (
  input: unknown,
  country: string | null,
  field: string,
  acceptUnknownRanges: boolean,
) => OptOutNumbers;

/**
 * Reads several phone numbers. An item that cannot be read does not affect the others.
 *
 * @throws AppError `INVALID_REQUEST` naming the items, if there are items and none can be read.
 */
export async function readTeamNumbers(
  team: TeamOfNumbers,
  inputs: readonly unknown[],
  field: string,
  parse: ItemParser = readExactNumber,
): Promise<NumberList> {
  const numbers = new Set<string>();
  const listed: ListedNumber[] = [];
  const rejected: RejectedNumber[] = [];
  for (const [index, input] of inputs.entries()) {
    // Parsing thousands of numbers takes a second. Other requests are processed in between.
    if (index % NUMBERS_A_TURN === 0) await othersTurn();
    const parsed = parse(input, team.defaultCountry, `${field}[${index}]`, team.acceptUnknownRanges);
    if (parsed.ok) {
      for (const number of parsed.phoneNumbers) numbers.add(number);
      listed.push({ given: shortText(input), phoneNumbers: parsed.phoneNumbers });
    } else rejected.push({ phoneNumber: shortText(input), error: parsed.message });
  }
  if (numbers.size === 0 && rejected.length > 0) throw invalid(...rejected.map(({ error }) => error));
  return { numbers: [...numbers].sort(), listed, rejected };
}

/** Reads the one number that a text is, by {@link parsePhoneNumber}. */
export function readExactNumber(
  input: unknown,
  country: string | null,
  field?: string,
  acceptUnknownRanges?: boolean,
): OptOutNumbers {
  const parsed = parsePhoneNumber(input, country, field, acceptUnknownRanges);
  return parsed.ok ? { ok: true, phoneNumbers: [parsed.e164] } : parsed;
}

/**
 * Reads the phone number in a URL's path, and returns it in E.164; null if the text is not a phone number. A
 * stored number may have left the numbering plans since. So text in E.164 is accepted unchanged.
 *
 * @throws AppError `INVALID_REQUEST` for a text that can be two numbers.
 */
export function numberInAddress(team: TeamOfNumbers, text: string): string | null {
  const parsed = parseStoredNumber(text, team.defaultCountry);
  if (parsed.ok) return parsed.e164;
  if (parsed.ambiguous) throw invalid(parsed.message);
  return isE164(text) ? text : null;
}

function shortText(input: unknown): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  if (text.length <= MAX_PHONE_NUMBER_TEXT) return text;
  // Removes half of a surrogate pair at the end, which would not be valid text.
  return `${text.slice(0, MAX_PHONE_NUMBER_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
