import { ValidateIf } from 'class-validator';
import { isCountryCode } from '../domain/phone-number.js';
import { fieldRule } from './field-rule.js';
import { MAX_NAME } from './validators.js';

/** Bound on prompt and first-message templates, in UTF-16 units. */
export const MAX_TEMPLATE = 64 * 1024;
// Far below what an integer column holds, far above any limit that somebody means.
const MAX_WHOLE_NUMBER = 1_000_000_000;
const MAX_COUNTRIES = 300;

/** The field may be absent, but not null: for what has a default, or is not cleared. `IsOptional` allows null, too. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** A name for people: some visible character, at most {@link MAX_NAME} long. */
export function IsName(): PropertyDecorator {
  return fieldRule('isName', (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (value.trim() === '') return 'must not be empty';
    return value.length <= MAX_NAME ? null : `must be at most ${MAX_NAME} characters`;
  });
}

export function IsFlag(): PropertyDecorator {
  return fieldRule('isFlag', (value) => (typeof value === 'boolean' ? null : 'must be true or false'));
}

/** An integer from `min` up to a thousand million. */
export function IsWholeNumber(min: number): PropertyDecorator {
  return fieldRule('isWholeNumber', (value) => {
    const fits = Number.isInteger(value) && min <= (value as number) && (value as number) <= MAX_WHOLE_NUMBER;
    return fits ? null : `must be a whole number from ${min} to ${MAX_WHOLE_NUMBER}`;
  });
}

export function IsOneOf(names: readonly string[]): PropertyDecorator {
  return fieldRule('isOneOf', (value) =>
    typeof value === 'string' && names.includes(value) ? null : `must be one of ${names.join(', ')}`,
  );
}

/** An ISO 3166 code in capitals, such as `US`. */
export function IsCountry(): PropertyDecorator {
  return fieldRule('isCountry', (value) =>
    isCountryCode(value) ? null : 'must be an ISO 3166 country code in capitals, such as US',
  );
}

/** Different ISO 3166 codes; may be empty. */
export function IsCountryList(): PropertyDecorator {
  return fieldRule('isCountryList', (value) => {
    if (!Array.isArray(value)) return 'must be an array of country codes';
    if (value.length > MAX_COUNTRIES || new Set(value).size < value.length)
      return 'must not repeat a country';
    const wrong = value.findIndex((code) => !isCountryCode(code));
    return wrong < 0 ? null : `must hold ISO 3166 country codes in capitals, such as US: see item ${wrong}`;
  });
}

/** An array of at most `max` texts; what they say depends on the team, so its service parses them. */
export function IsPhoneNumberList(max: number, min = 0): PropertyDecorator {
  return fieldRule('isPhoneNumberList', (value) => {
    if (!Array.isArray(value)) return 'must be an array of phone numbers';
    return min <= value.length && value.length <= max ? null : `must hold ${min} to ${max} phone numbers`;
  });
}

/** What a parser of the domain accepts, whose message names the field itself. */
export function IsParsedBy(
  parse: (value: unknown) => { ok: true } | { ok: false; message: string },
): PropertyDecorator {
  return fieldRule('isParsedBy', (value) => {
    const parsed = parse(value);
    return parsed.ok ? null : parsed.message;
  });
}
