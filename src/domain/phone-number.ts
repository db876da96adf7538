import {
  type CountryCode,
  type NumberType,
  type PhoneNumber,
  isSupportedCountry,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/max';

/**
 * The length of the longest text that is parsed, in UTF-16 units. The longest spelling of an E.164 number has
 * about half this length.
 */
export const MAX_PHONE_NUMBER_TEXT = 64;

/**
 * A number in E.164 (`+` and 7 to 15 digits) with its ISO 3166 country, or why the text is not one phone
 * number. `country` is null if the number belongs to no country (+800, +870, …). No list of allowed countries
 * contains null.
 */
export type ParsedPhoneNumber =
  { ok: true; e164: string; country: string | null } | { ok: false; message: string };

// Numbers that are copied from address books can contain directional marks, zero-width spaces and soft
// hyphens.
const INVISIBLE = /\p{Cf}/gu;
// libphonenumber knows only some spaces and hyphens. French numbers, for example, are typeset with narrow
// spaces.
const SPACE = /\p{Zs}/gu;
const DASH = /[\p{Pd}−ー]/gu;
// libphonenumber also accepts `x`, `~`, `#`, `;` and `,`. Each of these signs starts an extension or joins
// two numbers.
const SPELLING = /^\+?[0-9０-９٠-٩۰-۹ .．/／()（）[\]［］-]+$/;
// With `extract: false`, libphonenumber does not accept this plus sign.
const FULL_WIDTH_PLUS = '＋';
const SLASH = /[/／]/;
const NOT_A_DIGIT = /\P{Nd}/gu;
const E164 = /^\+[1-9]\d{6,14}$/;
// In the United States and Canada the exchange 976 is pay-per-call in every area. The metadata of
// libphonenumber calls it a fixed line.
const PAY_PER_CALL_EXCHANGE = /^\d{3}976\d{4}$/;

/** Until 2019 Mexican mobile numbers were dialed from abroad as `+52 1` and ten digits. */
const LEGACY_MEXICAN_MOBILE = /^\+521(\d{10})$/;

const NEVER_DIALED: ReadonlySet<NumberType> = new Set<NumberType>(['PREMIUM_RATE', 'SHARED_COST']);

/**
 * Normalises a phone number that may be dialed. Every spelling of the number, in ASCII, full-width or Arabic
 * digits, gives the same E.164.
 *
 * Text in national form is read with `defaultCountry` (ISO 3166, such as `US`). If `defaultCountry` is null,
 * such text is refused. Extensions, letters, several numbers, and values that are not strings are refused as
 * well. So are numbers that do not exist in their country, such as emergency numbers and short codes.
 * Premium-rate and shared-cost numbers are refused, because software must not dial them. `field` names the
 * request's field in messages. Messages never repeat the text. Does not throw.
 */
export function parsePhoneNumber(
  input: unknown,
  defaultCountry: string | null,
  field = 'phoneNumber',
): ParsedPhoneNumber {
  const parsed = parse(input, defaultCountry, field);
  if (parsed.ok && parsed.neverDialed) {
    return {
      ok: false,
      message: `${field} is a premium-rate or shared-cost number, which is never dialed`,
    };
  }
  return parsed.ok ? { ok: true, e164: parsed.e164, country: parsed.country } : parsed;
}

/**
 * As {@link parsePhoneNumber}, for a request that must have a number. `undefined` stands for a request
 * without a number.
 */
export function readRequiredNumber(input: unknown, defaultCountry: string | null): ParsedPhoneNumber {
  if (input === undefined) return { ok: false, message: 'phoneNumber is required' };
  return parsePhoneNumber(input, defaultCountry);
}

/** As {@link parsePhoneNumber}, but also accepts the types that are never dialed: any number can opt out. */
export function parseOptOutNumber(
  input: unknown,
  defaultCountry: string | null,
  field = 'phoneNumber',
): ParsedPhoneNumber {
  const parsed = parse(input, defaultCountry, field);
  return parsed.ok ? { ok: true, e164: parsed.e164, country: parsed.country } : parsed;
}

type ParsedOfAnyType =
  { ok: true; e164: string; country: string | null; neverDialed: boolean } | { ok: false; message: string };

function parse(input: unknown, defaultCountry: string | null, field: string): ParsedOfAnyType {
  const refuse = (predicate: string): ParsedOfAnyType => ({ ok: false, message: `${field} ${predicate}` });
  if (typeof input !== 'string') return refuse('must be a string');
  if (input.length > MAX_PHONE_NUMBER_TEXT) {
    return refuse(`must be at most ${MAX_PHONE_NUMBER_TEXT} characters`);
  }
  const text = plainText(input);
  if (text === '') return refuse('must not be empty');

  const international = text.startsWith('+');
  const country = defaultCountry !== null && isCountryCode(defaultCountry) ? defaultCountry : null;
  if (!international && country === null && SPELLING.test(text)) {
    return refuse('must be in international form, such as +14155552671: the team has no default country');
  }
  const number = withoutLegacyMobilePrefix(read(text, international ? null : country), international);
  if (number?.ext !== undefined) return refuse('must not have an extension');
  if (!SPELLING.test(text) || namesTwoLines(text)) {
    return refuse('must be one phone number and nothing else');
  }
  // With full metadata, `isValid()` would only determine the type again.
  const type = number?.getType();
  if (number === null || type === undefined || !E164.test(number.number)) {
    return refuse('is not a valid phone number');
  }
  const neverDialed = NEVER_DIALED.has(type) || isPayPerCall(number);
  return { ok: true, e164: number.number, country: number.country ?? null, neverDialed };
}

/**
 * Whether the text is in international form, so that {@link parsePhoneNumber} needs no default country for
 * the text. The text need not be a valid number.
 */
export function isInternational(input: string): boolean {
  return input.length <= MAX_PHONE_NUMBER_TEXT && plainText(input).startsWith('+');
}

/** Whether `x` is an ISO 3166 country code, in capitals, with which numbers can be read. */
export function isCountryCode(x: unknown): x is CountryCode {
  return typeof x === 'string' && isSupportedCountry(x);
}

/**
 * An E.164 number for logs, such as `+141•••71`: enough to tell numbers apart while debugging, not enough to
 * call. At least four digits stay hidden. Of a number with at most eight digits, only the last two are shown.
 * Of a text that is not E.164, nothing is shown.
 */
export function maskPhoneNumber(e164: string): string {
  if (!E164.test(e164)) return '•••';
  const prefix = e164.length >= 10 ? e164.slice(0, 4) : '+';
  return `${prefix}•••${e164.slice(-2)}`;
}

function plainText(input: string): string {
  return input
    .replace(INVISIBLE, '')
    .replace(SPACE, ' ')
    .replace(DASH, '-')
    .replace(FULL_WIDTH_PLUS, '+')
    .trim();
}

/**
 * A slash either separates the area code (`030/901820`) or adds a second line (`+49 30 901820/21`). From a
 * text with two lines, libphonenumber would make one long number. Country code and area code have at most
 * eight digits together. A line number that can be dialed from another area has at least four digits.
 */
function namesTwoLines(text: string): boolean {
  const [area = 0, line, ...more] = text.split(SLASH).map((part) => part.replace(NOT_A_DIGIT, '').length);
  return line !== undefined && (more.length > 0 || area > 8 || line < 4);
}

function read(text: string, country: CountryCode | null): PhoneNumber | null {
  try {
    // Without `extract: false`, libphonenumber finds a number inside any sentence and ignores the other text.
    return parsePhoneNumberWithError(text, { defaultCountry: country ?? undefined, extract: false });
  } catch {
    return null;
  }
}

/**
 * Address books still contain the legacy form, which is in no numbering plan any more. The prefix is removed
 * from the international form only. With Mexico as the default country, `1` and ten digits can also be a
 * North American number.
 */
function withoutLegacyMobilePrefix(number: PhoneNumber | null, international: boolean): PhoneNumber | null {
  const legacy =
    international && number?.ext === undefined && LEGACY_MEXICAN_MOBILE.exec(number?.number ?? '');
  return legacy ? read(`+52${legacy[1]}`, null) : number;
}

function isPayPerCall(number: PhoneNumber): boolean {
  const northAmerican = number.country === 'US' || number.country === 'CA';
  return northAmerican && PAY_PER_CALL_EXCHANGE.test(number.nationalNumber);
}
