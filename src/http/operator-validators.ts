import { ValidateIf } from 'class-validator';
import { isCountryCode, MAX_PHONE_NUMBER_TEXT } from '../domain/phone-number.js';
import { MAX_DAYS, PLATFORM_DAYS } from '../domain/retention.js';
import { instantOf, OFFSET_INSTANT } from './call-result-fields.js';
import { fieldRule } from './field-rule.js';
import { FLAG_SCHEMA, type JsonSchema, listOf, oneOf } from './json-schema.js';
import { MAX_NAME, trimmedText } from './validators.js';

/** Bound on prompt and first-message templates, in UTF-16 units. */
export const MAX_TEMPLATE = 64 * 1024;
/** Bound on settings, in bytes of JSON: every firing reads them. */
const MAX_SETTINGS = 16 * 1024;
// Less than an integer column can hold, and far above any useful limit.
const MAX_WHOLE_NUMBER = 1_000_000_000;
const MAX_COUNTRIES = 300;

export const COUNTRY_SCHEMA: JsonSchema = { type: 'string', pattern: '^[A-Z]{2}$', examples: ['US'] };
export const COUNTRY_LIST_SCHEMA: JsonSchema = {
  ...listOf(COUNTRY_SCHEMA, { maxItems: MAX_COUNTRIES }),
  uniqueItems: true,
};

/**
 * The field may be absent, but not null. This is for a field that has a default, or that cannot be cleared.
 * `IsOptional` allows null, too.
 */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** A display name: at least one visible character, at most {@link MAX_NAME} long. It is stored trimmed. */
export function IsName(): PropertyDecorator {
  const fault = (value: unknown) => {
    if (typeof value !== 'string') return 'must be a string';
    if (value === '') return 'must not be empty';
    return value.length <= MAX_NAME ? null : `must be at most ${MAX_NAME} characters`;
  };
  return fieldRule('isName', fault, { type: 'string', minLength: 1, maxLength: MAX_NAME }, trimmedText);
}

export function IsFlag(): PropertyDecorator {
  const fault = (value: unknown) => (typeof value === 'boolean' ? null : 'must be true or false');
  return fieldRule('isFlag', fault, FLAG_SCHEMA);
}

/** An integer from `min` up to a thousand million. */
export function IsWholeNumber(min: number): PropertyDecorator {
  const fault = (value: unknown) => {
    const fits = Number.isInteger(value) && min <= (value as number) && (value as number) <= MAX_WHOLE_NUMBER;
    return fits ? null : `must be a whole number from ${min} to ${MAX_WHOLE_NUMBER}`;
  };
  return fieldRule('isWholeNumber', fault, { type: 'integer', minimum: min, maximum: MAX_WHOLE_NUMBER });
}

/** A number from `min` to `max`, which need not be whole. */
export function IsNumberWithin(min: number, max: number): PropertyDecorator {
  const fault = (value: unknown) =>
    typeof value === 'number' && min <= value && value <= max
      ? null
      : `must be a number from ${min} to ${max}`;
  return fieldRule('isNumberWithin', fault, { type: 'number', minimum: min, maximum: max });
}

/** Days of a retention, from `min` to {@link MAX_DAYS}. */
export function daysSchema(min: number): JsonSchema {
  return { type: 'integer', minimum: min, maximum: MAX_DAYS };
}

/** Days of a team's retention, as {@link daysSchema}, or {@link PLATFORM_DAYS}. */
export function teamDaysSchema(min: number): JsonSchema {
  return { anyOf: [daysSchema(min), { type: 'string', const: PLATFORM_DAYS }] };
}

export function IsDays(min: number): PropertyDecorator {
  const fault = (value: unknown) =>
    isDays(value, min) ? null : `must be null or a whole number from ${min} to ${MAX_DAYS}`;
  return fieldRule('isDays', fault, daysSchema(min));
}

/** As {@link teamDaysSchema}. */
export function IsTeamDays(min: number): PropertyDecorator {
  const fault = (value: unknown) =>
    value === PLATFORM_DAYS || isDays(value, min)
      ? null
      : `must be null, "${PLATFORM_DAYS}" or a whole number from ${min} to ${MAX_DAYS}`;
  return fieldRule('isTeamDays', fault, teamDaysSchema(min));
}

function isDays(value: unknown, min: number): boolean {
  return Number.isInteger(value) && min <= (value as number) && (value as number) <= MAX_DAYS;
}

export function IsOneOf(names: readonly string[]): PropertyDecorator {
  const fault = (value: unknown) =>
    typeof value === 'string' && names.includes(value) ? null : `must be one of ${names.join(', ')}`;
  return fieldRule('isOneOf', fault, oneOf(names));
}

/** A date-time with its offset. */
export function IsOffsetInstant(): PropertyDecorator {
  const fault = (value: unknown) =>
    instantOf(value) === undefined
      ? 'must be a date-time with an offset, such as 2027-03-28T09:00:00+02:00'
      : null;
  return fieldRule('isOffsetInstant', fault, OFFSET_INSTANT);
}

/** An array of the `names` without repetitions. @param min of items, 0 or 1. */
export function IsSetOf(names: readonly string[], min: 0 | 1 = 1): PropertyDecorator {
  const fault = (value: unknown) => {
    if (!Array.isArray(value) || value.length < min)
      return min === 0 ? 'must be an array of names' : 'must be an array of at least one name';
    const wrong = value.findIndex((name) => !names.includes(name as string));
    if (wrong >= 0) return `must hold names of ${names.join(', ')}: see item ${wrong}`;
    return new Set(value).size < value.length ? 'must not repeat a name' : null;
  };
  const limits = { minItems: min, maxItems: names.length };
  return fieldRule('isSetOf', fault, { ...listOf(oneOf(names), limits), uniqueItems: true });
}

/** An ISO 3166 code in capitals, such as `US`. */
export function IsCountry(): PropertyDecorator {
  const fault = (value: unknown) =>
    isCountryCode(value) ? null : 'must be an ISO 3166 country code in capitals, such as US';
  return fieldRule('isCountry', fault, COUNTRY_SCHEMA);
}

/** An array of different ISO 3166 codes. It may be empty. */
export function IsCountryList(): PropertyDecorator {
  const fault = (value: unknown) => {
    if (!Array.isArray(value)) return 'must be an array of country codes';
    if (value.length > MAX_COUNTRIES || new Set(value).size < value.length)
      return 'must not repeat a country';
    const wrong = value.findIndex((code) => !isCountryCode(code));
    return wrong < 0 ? null : `must hold ISO 3166 country codes in capitals, such as US: see item ${wrong}`;
  };
  return fieldRule('isCountryList', fault, COUNTRY_LIST_SCHEMA);
}

const NUMBER_ITEM: JsonSchema = { type: 'string', minLength: 1, maxLength: MAX_PHONE_NUMBER_TEXT };

/** An item of a list that is stored even if some items are invalid. The answer names the invalid items. */
export const REJECTABLE_NUMBER: JsonSchema = {
  description: 'A phone number. The answer lists the items that are not valid numbers.',
};

/**
 * An array of `min` to `max` items. How an item is read depends on the team, so the service parses the items.
 */
export function IsPhoneNumberList(max: number, min = 0, item = NUMBER_ITEM): PropertyDecorator {
  const fault = (value: unknown) => {
    if (!Array.isArray(value)) return 'must be an array of phone numbers';
    return min <= value.length && value.length <= max ? null : `must hold ${min} to ${max} phone numbers`;
  };
  return fieldRule('isPhoneNumberList', fault, listOf(item, { minItems: min, maxItems: max }));
}

/** An object whose fields another component defines, of at most {@link MAX_SETTINGS} bytes of JSON. */
export function IsSettings(): PropertyDecorator {
  const fault = (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
    const bytes = Buffer.byteLength(JSON.stringify(value));
    return bytes <= MAX_SETTINGS ? null : `must be at most ${MAX_SETTINGS / 1024} KB of JSON`;
  };
  return fieldRule('isSettings', fault, { type: 'object', additionalProperties: true });
}

/** A value that a parser of the domain accepts. The parser's message names the field itself. */
export function IsParsedBy(
  parse: (value: unknown) => { ok: true } | { ok: false; message: string },
  schema: JsonSchema,
): PropertyDecorator {
  const fault = (value: unknown) => {
    const parsed = parse(value);
    return parsed.ok ? null : parsed.message;
  };
  return fieldRule('isParsedBy', fault, schema);
}
