import { Matches, ValidateBy } from 'class-validator';

/** A secret that fits into an `Authorization` header. Any other secret could be configured, but not sent. */
const BEARER = /^[\x21-\x7e]{16,500}$/;
const BEARER_MESSAGE = 'must be 16 to 500 printable ASCII characters without spaces';
const WEAK_MESSAGE = 'must not be a placeholder or easily guessed; make one with: openssl rand -base64 32';

/**
 * The least number of different characters in a secret. Of secrets of sixteen random digits, about one in ten
 * thousand has fewer.
 */
const LEAST_VARIETY = 5;

/**
 * Placeholders, as {@link plainForm} writes them. A value whose plain form is longer than a placeholder is
 * accepted, even if it contains one.
 */
const PLACEHOLDERS = new Set([
  'changeme',
  'changethis',
  'replaceme',
  'placeholder',
  'default',
  'example',
  'todo',
  'test',
  'testing',
  'password',
  'passwort',
  'passw0rd',
  'secret',
  'token',
  'key',
  'apikey',
  'letmein',
  'welcome',
  'hunter2',
  'admin',
  'administrator',
  'operator',
  'operatortoken',
  'outdial',
  'root',
  'user',
  'guest',
  'supersecret',
  'yourpassword',
  'yoursecret',
  'yourtoken',
  'yourauthtoken',
  'yourapikey',
  'mysecret',
  'mypassword',
  'mytoken',
  'topsecret',
  'secretkey',
  'secrettoken',
  'password1',
  'password123',
  'admin123',
  'secret123',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
  '0123456789',
  'abcdefgh',
  'abcdefghijklmnop',
  'abc123',
  'qwerty',
  'qwertyui',
  'qwertyuiop',
  'asdfghjkl',
]);

/** A bearer token, or a secret that is sent like one. */
export function Secret(): PropertyDecorator {
  return SecretOfShape(BEARER, BEARER_MESSAGE);
}

/**
 * A variable that holds a secret of the given shape. Placeholders and values with little variety are refused.
 */
export function SecretOfShape(shape: RegExp, message: string): PropertyDecorator {
  const matches = Matches(shape, { message });
  const strong = ValidateBy({
    name: 'strongSecret',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || !partsOf(value).some(isWeak),
      defaultMessage: () => WEAK_MESSAGE,
    },
  });
  return (target, property) => {
    matches(target, property);
    strong(target, property);
  };
}

/**
 * The bytes of each secret in a list of signing secrets of Standard Webhooks. Any other value is one secret.
 */
function partsOf(value: string): string[] {
  if (!value.startsWith('whsec_')) return [value];
  return value.split(',').map((one) => Buffer.from(one.replace(/^whsec_/, ''), 'base64').toString('latin1'));
}

function isWeak(secret: string): boolean {
  if (new Set(secret).size < LEAST_VARIETY) return true;
  return PLACEHOLDERS.has(plainForm(secret));
}

/** In lower case, without hyphens, underscores, dots and repetitions: `Change-me-change-me` → `changeme`. */
export function plainForm(secret: string): string {
  return repeatedUnit(secret.toLowerCase().replace(/[-_.]/g, ''));
}

/** `changemechangemechan` → `changeme`. */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit;
  }
  return text;
}
