import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
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
 * contains null. `unknownRange`: the number is only possible, in a range that the numbering plans of this
 * version do not know; its country is then the main one of its calling code. `ambiguous`: the text is two
 * different numbers, depending on how it is read.
 */
export type ParsedPhoneNumber =
  | { ok: true; e164: string; country: string | null; unknownRange?: true }
  | { ok: false; message: string; ambiguous?: true };

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

// Satellite, personal and other numbers of international services, and the personal numbers of the United
// Kingdom. A call costs up to several dollars a minute. +880 is Bangladesh, and +886 is Taiwan.
const COSTLY = /^\+(?:87[08]|88[1238]|979|4470)/;

// A spreadsheet writes numbers as `1711234567.0` or `1.71E+09`. Separators of groups are dots too, so that only
// a single dot before zeros is refused.
const DECIMAL = /^[^.．]*[.．][0０٠۰]+$/;
const EXPONENT = /^\+?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

/**
 * A number of an unknown range has at least this many digits behind its calling code. Plans of variable
 * length would otherwise allow short codes, such as directory enquiries.
 */
const MIN_UNKNOWN_DIGITS = 7;

/** Until 2019 Mexican mobile numbers were dialed from abroad as `+52 1` and ten digits. */
const LEGACY_MEXICAN_MOBILE = /^\+521(\d{10})$/;

const NEVER_DIALED: ReadonlySet<NumberType | undefined> = new Set(['PREMIUM_RATE', 'SHARED_COST']);

/**
 * Normalises a phone number that may be dialed. Every spelling of the number, in ASCII, full-width or Arabic
 * digits, gives the same E.164.
 *
 * Text in national form is read with `defaultCountry` (ISO 3166, such as `US`). If `defaultCountry` is null,
 * such text is refused. Text that is a valid number both in national form and with a `+` in front is refused
 * if the numbers differ. Extensions, letters, several numbers, decimals of spreadsheets, and values that are
 * not strings are refused as well. So are numbers that do not exist in their country, such as emergency
 * numbers and short codes. Premium-rate, shared-cost, satellite and personal numbers are refused, because
 * software must not dial them. `field` names the request's field in messages. Messages never repeat the text.
 * Does not throw.
 *
 * @param acceptUnknownRanges whether numbers are accepted that are possible in their country, but in no range
 *   that this version knows.
 */
export function parsePhoneNumber(
  input: unknown,
  defaultCountry: string | null,
  field = 'phoneNumber',
  acceptUnknownRanges = false,
): ParsedPhoneNumber {
  const parsed = parse(input, defaultCountry, field, acceptUnknownRanges);
  if (!parsed.ok) return parsed;
  const { neverDialed, ...number } = parsed;
  if (neverDialed === null) return number;
  return { ok: false, message: `${field} is a ${neverDialed} number, which is never dialed` };
}

/**
 * As {@link parsePhoneNumber}, for a request that must have a number. `undefined` stands for a request
 * without a number.
 */
export function readRequiredNumber(
  input: unknown,
  defaultCountry: string | null,
  acceptUnknownRanges = false,
): ParsedPhoneNumber {
  if (input === undefined) return { ok: false, message: 'phoneNumber is required' };
  return parsePhoneNumber(input, defaultCountry, 'phoneNumber', acceptUnknownRanges);
}

/**
 * As {@link parsePhoneNumber}, but also accepts the types that are never dialed, and unknown ranges: each of
 * these numbers can be stored, as that of an earlier call or on the Do Not Call list.
 */
export function parseStoredNumber(
  input: unknown,
  defaultCountry: string | null,
  field = 'phoneNumber',
): ParsedPhoneNumber {
  const parsed = parse(input, defaultCountry, field, true);
  if (!parsed.ok) return parsed;
  const { e164, country, unknownRange } = parsed;
  return { ok: true, e164, country, ...(unknownRange && { unknownRange }) };
}

type Refused = Extract<ParsedPhoneNumber, { ok: false }>;
/** `neverDialed`: the kind of a number that is never dialed, or null. */
type ParsedOfAnyType =
  (Extract<ParsedPhoneNumber, { ok: true }> & { neverDialed: NeverDialedKind | null }) | Refused;
type NeverDialedKind = 'premium-rate or shared-cost' | 'satellite, personal or other costly';

function parse(
  input: unknown,
  defaultCountry: string | null,
  field: string,
  acceptUnknownRanges: boolean,
): ParsedOfAnyType {
  const refuse = (predicate: string): Refused => ({ ok: false, message: `${field} ${predicate}` });
  if (typeof input !== 'string') return refuse('must be a string');
  if (input.length > MAX_PHONE_NUMBER_TEXT) {
    return refuse(`must be at most ${MAX_PHONE_NUMBER_TEXT} characters`);
  }
  const text = plainText(input);
  if (text === '') return refuse('must not be empty');
  if (DECIMAL.test(text) || EXPONENT.test(text)) {
    return refuse('must be the digits of a phone number, not a decimal number of a spreadsheet');
  }

  const international = text.startsWith('+');
  const country = defaultCountry !== null && isCountryCode(defaultCountry) ? defaultCountry : null;
  if (!international && country === null && SPELLING.test(text)) {
    return refuse('must be in international form, such as +14155552671: the team has no default country');
  }
  const number = readNumber(text, international ? null : country);
  if (number?.ext !== undefined) return refuse('must not have an extension');
  if (!SPELLING.test(text) || namesTwoLines(text)) {
    return refuse('must be one phone number and nothing else');
  }
  const invalid = refuse('is not a valid phone number');
  if (number === null || !E164.test(number.number)) return invalid;
  // With full metadata, `isValid()` would only determine the type again.
  const type = number.getType();
  const unknown = type === undefined;
  if (unknown && !(acceptUnknownRanges && isOfUnknownRange(number))) return invalid;
  const other = international || country === null ? null : withPlus(text, country);
  if (other !== null && other.number !== number.number) {
    const readings = `${number.number} or ${other.number}`;
    return { ...refuse(`can be ${readings}: it must begin with + and the country code`), ambiguous: true };
  }
  return {
    ok: true,
    e164: number.number,
    country: number.country ?? (unknown ? (number.getPossibleCountries()[0] ?? null) : null),
    ...(unknown && { unknownRange: true as const }),
    neverDialed: neverDialedKind(number, type),
  };
}

function neverDialedKind(number: PhoneNumber, type: NumberType | undefined): NeverDialedKind | null {
  if (NEVER_DIALED.has(type) || isPayPerCall(number)) return 'premium-rate or shared-cost';
  return COSTLY.test(number.number) ? 'satellite, personal or other costly' : null;
}

/** Whether a number that is not valid has a possible length, as numbers of new ranges have. */
export function isOfUnknownRange(number: PhoneNumber): boolean {
  return number.isPossible() && number.nationalNumber.length >= MIN_UNKNOWN_DIGITS;
}

/**
 * The number that a text without `+` is if its first digits are the calling code of the team's own country;
 * null: the text does not begin with them, or is no valid number.
 */
export function withPlus(text: string, country: CountryCode): PhoneNumber | null {
  const digits = asciiDigits(text);
  if (!digits.startsWith(getCountryCallingCode(country))) return null;
  const number = readNumber(`+${digits}`, null);
  return number?.isValid() === true ? number : null;
}

const ZEROS = [0x30, 0xff10, 0x660, 0x6f0];

/** The digits of a text, each in ASCII. */
export function asciiDigits(text: string): string {
  return text.replace(NOT_A_DIGIT, '').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? '' : String(code - zero);
  });
}

/**
 * Whether the text is in international form, so that {@link parsePhoneNumber} needs no default country for
 * the text. The text need not be a valid number.
 */
export function isInternational(input: string): boolean {
  return input.length <= MAX_PHONE_NUMBER_TEXT && plainText(input).startsWith('+');
}

/** The codes for which {@link isCountryCode} holds, in the order of the alphabet. */
export function countryCodes(): string[] {
  return [...getCountries()].sort();
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

/** A text without invisible characters, with plain spaces, hyphens and plus sign. */
export function plainText(input: string): string {
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

/**
 * Reads one number, in the form in which it is dialed since 2019 if it is Mexican; null: the text is none.
 *
 * @param extract whether other text may surround the number.
 */
export function readNumber(text: string, country: CountryCode | null, extract = false): PhoneNumber | null {
  const number = read(text, country, extract);
  // Address books still contain the legacy form, which is in no numbering plan any more. The prefix is removed
  // from the international form only. With Mexico as the default country, `1` and ten digits can also be a
  // North American number.
  const legacy =
    country === null && number?.ext === undefined && LEGACY_MEXICAN_MOBILE.exec(number?.number ?? '');
  return legacy ? read(`+52${legacy[1]}`, null, false) : number;
}

function read(text: string, country: CountryCode | null, extract: boolean): PhoneNumber | null {
  try {
    // Without `extract: false`, libphonenumber finds a number inside any sentence and ignores the other text.
    return parsePhoneNumberWithError(text, { defaultCountry: country ?? undefined, extract });
  } catch {
    return null;
  }
}

function isPayPerCall(number: PhoneNumber): boolean {
  const northAmerican = number.country === 'US' || number.country === 'CA';
  return northAmerican && PAY_PER_CALL_EXCHANGE.test(number.nationalNumber);
}

/**
 * The groups of digits in which a number is read, such as `['+1', '415', '555', '0142']`. Joined, they are the number.
 *
 * @param e164 a stored number. One that libphonenumber does not know is one group.
 */
export function numberGroups(e164: string): string[] {
  try {
    const groups = parsePhoneNumberWithError(e164)
      .formatInternational()
      .split(/[^\d+]+/)
      .filter((group) => group !== '');
    return groups.join('') === e164 ? groups : [e164];
  } catch {
    return [e164];
  }
}
