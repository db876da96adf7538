import { isSealed, SecretNotOpened, Secrets } from '../../src/secrets/secrets.js';

const KEY = 'the-first-key-of-these-tests-0001';
const OTHER = 'the-second-key-of-these-tests-002';
const TEXT = 'whsec_a-secret-ä';
const PLACE = { table: 'webhook_endpoints', column: 'secret', id: '0190' };

function failure(open: () => string): Error {
  try {
    open();
  } catch (error) {
    return error as Error;
  }
  throw new Error('The value was opened');
}

test('a sealed value opens at its place, and contains nothing of the text', () => {
  const secrets = new Secrets(KEY);
  const sealed = secrets.seal(TEXT, PLACE);
  expect(secrets.open(sealed, PLACE)).toBe(TEXT);
  expect(isSealed(sealed)).toBe(true);
  expect(sealed).not.toContain(TEXT);
  expect(sealed).not.toContain(Buffer.from(TEXT).toString('base64url'));
  expect(secrets.open(secrets.seal('', PLACE), PLACE)).toBe('');
});

test('the same text is sealed differently each time', () => {
  const secrets = new Secrets(KEY);
  expect(secrets.seal(TEXT, PLACE)).not.toBe(secrets.seal(TEXT, PLACE));
});

test.each([
  ['row', { ...PLACE, id: '0191' }],
  ['column', { ...PLACE, column: 'previous_secret' }],
  ['table', { ...PLACE, table: 'users' }],
])('a sealed value does not open in another %s', (_what, place) => {
  const secrets = new Secrets(KEY);
  const sealed = secrets.seal(TEXT, PLACE);
  expect(failure(() => secrets.open(sealed, place))).toBeInstanceOf(SecretNotOpened);
});

test('a change of any part is noticed', () => {
  const secrets = new Secrets(KEY);
  const parts = secrets.seal(TEXT, PLACE).split('.');
  for (const [n, part] of parts.entries()) {
    const changed = parts.with(n, (part.startsWith('A') ? 'B' : 'A') + part.slice(1)).join('.');
    expect(failure(() => secrets.open(changed, PLACE))).toBeInstanceOf(SecretNotOpened);
  }
});

test('a wrong key fails with the name of the column, and without value, row and key', () => {
  const sealed = new Secrets(KEY).seal(TEXT, PLACE);
  const { message } = failure(() => new Secrets(OTHER).open(sealed, PLACE));
  expect(message).toBe(
    'webhook_endpoints.secret cannot be opened: it is sealed under neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS',
  );
});

test('a value in plain text is not taken for a sealed one', () => {
  const secrets = new Secrets(KEY);
  expect(isSealed(TEXT)).toBe(false);
  expect(secrets.isOutdated(TEXT)).toBe(true);
  const { message } = failure(() => secrets.open(TEXT, PLACE));
  expect(message).toBe('webhook_endpoints.secret cannot be opened: it is not a sealed value');
});

test('after a rotation, values of the previous key open and are outdated until they are sealed again', () => {
  const sealed = new Secrets(KEY).seal(TEXT, PLACE);
  const rotated = new Secrets(OTHER, KEY);
  expect(rotated.open(sealed, PLACE)).toBe(TEXT);
  expect(rotated.isOutdated(sealed)).toBe(true);
  const again = rotated.seal(TEXT, PLACE);
  expect(rotated.isOutdated(again)).toBe(false);
  expect(new Secrets(OTHER).open(again, PLACE)).toBe(TEXT);
});
