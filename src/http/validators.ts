import { Transform } from 'class-transformer';
import { isEmail, registerDecorator } from 'class-validator';
import { isTimeZone } from '../domain/time-zone.js';

// Bounds on what a request may store, in UTF-16 units; each is at most the width of the column behind it.
export const MAX_NAME = 200;
/** The longest address that SMTP can carry (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL = 254;
export const MAX_COMPANY_NAME = 200;
export const MAX_COMPANY_WEBSITE = 2048;
/** For free text such as an enrollment's `source`. */
export const MAX_LABEL = 200;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether `value` looks like a UUID of any version, in either case: ids are ours, only their shape can be wrong. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** A string of at most `maxLength` UTF-16 units; may be empty. */
export function IsText(maxLength: number): PropertyDecorator {
  return rule('isText', (value) => {
    if (typeof value !== 'string') return 'must be a string';
    return value.length <= maxLength ? null : `must be at most ${maxLength} characters`;
  });
}

/** An e-mail address of at most {@link MAX_EMAIL} characters; it is stored as sent, since it never identifies. */
export function IsEmailAddress(): PropertyDecorator {
  return rule('isEmailAddress', (value) => {
    if (typeof value !== 'string') return 'must be a string';
    // The length first: the address grammar is a set of regular expressions.
    if (value.length > MAX_EMAIL) return `must be at most ${MAX_EMAIL} characters`;
    return isEmail(value) ? null : 'must be an email address';
  });
}

/** An IANA time zone name that this process can compute with, links and `UTC` included. */
export function IsTimeZone(): PropertyDecorator {
  return rule('isTimeZone', (value) => {
    if (typeof value !== 'string') return 'must be a string';
    return isTimeZone(value) ? null : 'must be an IANA time zone name, such as Europe/Berlin';
  });
}

/** A UUID of any version; the instance holds it in lower case, as Postgres answers it. */
export function IsUuid(): PropertyDecorator {
  const check = rule('isUuid', (value) => {
    if (typeof value !== 'string') return 'must be a string';
    return isUuid(value) ? null : 'must be a UUID';
  });
  const lower = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  );
  return (target, key) => {
    check(target, key);
    lower(target, key);
  };
}

/** A JSON object, not an array; what is inside needs a check of its own. */
export function IsJsonObject(): PropertyDecorator {
  return rule('isJsonObject', (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object',
  );
}

/** One rule a field, which says itself what is wrong: with several, the order of decorators would choose. */
function rule(name: string, fault: (value: unknown) => string | null): PropertyDecorator {
  return (target, propertyName) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(propertyName),
      validator: {
        validate: (value: unknown) => fault(value) === null,
        defaultMessage: (args) => `${args?.property} ${fault(args?.value)}`,
      },
    });
  };
}
