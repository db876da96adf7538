import { isEmail } from 'class-validator';
import { trimmed } from '../domain/trimmed.js';
import { timeZoneFault } from '../domain/zones/time-zone.js';
import { UUID } from '../domain/uuid.js';
import { fieldRule } from './field-rule.js';
import { ANY_OBJECT_SCHEMA, type JsonSchema, UUID_SCHEMA } from './json-schema.js';

// Bounds on what a request may store, in UTF-16 units; each is at most the width of the column behind it.
export const MAX_NAME = 200;
/** The longest address that SMTP can carry (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL = 254;
/** For free text such as an enrollment's `source`. */
export const MAX_LABEL = 200;
/**
 * Bound on what a request may store in one JSON column: a call's variables, a contact's properties, a
 * definition.
 */
export const MAX_JSON_BYTES = 65_536;

export const EMAIL_SCHEMA: JsonSchema = { type: 'string', format: 'email', maxLength: MAX_EMAIL };
export const TIME_ZONE_SCHEMA: JsonSchema = {
  type: 'string',
  examples: ['America/New_York', 'Europe/Berlin', 'UTC'],
};

/** Whether `value` has the form of a UUID. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** A string of at most `maxLength` UTF-16 units; may be empty. */
export function IsText(maxLength: number): PropertyDecorator {
  const fault = (value: unknown) => {
    if (typeof value !== 'string') return 'must be a string';
    return value.length <= maxLength ? null : `must be at most ${maxLength} characters`;
  };
  return fieldRule('isText', fault, { type: 'string', maxLength });
}

const PRINTABLE = /^[\x20-\x7e]+$/;

/** What is wrong with a text that must be 1 to `maxLength` characters of printable ASCII; null: nothing. */
export function printableFault(text: string, maxLength: number): string | null {
  return text.length <= maxLength && PRINTABLE.test(text)
    ? null
    : `must be 1 to ${maxLength} printable ASCII characters`;
}

export const printableSchema = (maxLength: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[ -~]+$',
});

/** A text of 1 to `maxLength` characters of printable ASCII. */
export function IsPrintable(maxLength: number): PropertyDecorator {
  const fault = (value: unknown) => {
    if (typeof value !== 'string') return 'must be a string';
    return printableFault(value, maxLength);
  };
  return fieldRule('isPrintable', fault, printableSchema(maxLength));
}

/**
 * An e-mail address of at most {@link MAX_EMAIL} characters; it is stored as sent, because it does not
 * identify a contact.
 */
export function IsEmailAddress(): PropertyDecorator {
  const fault = (value: unknown) => {
    if (typeof value !== 'string') return 'must be a string';
    // The length is checked first, because the grammar of addresses is checked by regular expressions.
    if (value.length > MAX_EMAIL) return `must be at most ${MAX_EMAIL} characters`;
    return isEmail(value) ? null : 'must be an email address';
  };
  return fieldRule('isEmailAddress', fault, EMAIL_SCHEMA);
}

/**
 * An IANA time zone name of the zone data, in upper or lower case. Links and `UTC` are valid; `EST`, `MST` and
 * `HST` are not.
 */
export function IsTimeZone(): PropertyDecorator {
  const fault = (value: unknown) => {
    if (typeof value !== 'string') return 'must be a string';
    return timeZoneFault(value);
  };
  return fieldRule('isTimeZone', fault, TIME_ZONE_SCHEMA, trimmedText);
}

/** Reads a text of a field without the spaces at its ends. */
export function trimmedText(value: unknown): unknown {
  return typeof value === 'string' ? trimmed(value) : value;
}

/** A UUID of any version; the instance holds it in lower case, as Postgres returns it. */
export function IsUuid(): PropertyDecorator {
  const fault = (value: unknown) => {
    if (typeof value !== 'string') return 'must be a string';
    return isUuid(value) ? null : 'must be a UUID';
  };
  return fieldRule('isUuid', fault, UUID_SCHEMA, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  );
}

/**
 * A JSON object, not an array, of at most {@link MAX_JSON_BYTES}; its content needs a check of its own.
 *
 * @param schema what the check of the content accepts, for the API's document.
 */
export function IsJsonObject(schema: JsonSchema = ANY_OBJECT_SCHEMA): PropertyDecorator {
  const fault = (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
    return jsonBytes(value) <= MAX_JSON_BYTES ? null : `must be at most ${MAX_JSON_BYTES} bytes of JSON`;
  };
  return fieldRule('isJsonObject', fault, schema);
}

// Strings are matched as well, so that what looks like an exponent within a string is skipped.
const STRING_OR_EXPONENT = /"(?:[^"\\]|\\.)*"|e[+-](\d+)/g;

/**
 * Bytes of UTF-8 that a value of a request takes as compact JSON. An exponent counts as many bytes as the
 * zeros that it stands for, because Postgres writes them out.
 */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (!text.includes('e-') && !text.includes('e+')) return bytes;
  let zeros = 0;
  for (const [, exponent = '0'] of text.matchAll(STRING_OR_EXPONENT)) zeros += Number(exponent);
  return bytes + zeros;
}
