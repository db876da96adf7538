import { mapConsentColumns } from '../../src/domain/consent-columns.js';
import { type ColumnOverride } from '../../src/domain/contact-columns.js';

function mapped(headers: string, ...overrides: [string, ColumnOverride['target']][]): string {
  const read = mapConsentColumns(
    headers.split('|'),
    overrides.map(([header, target]) => ({ header, target })),
  );
  return read.ok ? read.columns.map(({ field }) => field ?? '-').join('|') : read.message;
}

const ALL = 'phoneNumber|level|purpose|voice|source|evidence|grantedAt|expiresAt';

test.each([
  [ALL, ALL],
  ['PHONE_NUMBER|Level|Source|Granted at', 'phoneNumber|level|source|grantedAt'],
  ['Mobile|Consent|Opt-in source|Opt-in date|Proof', 'phoneNumber|level|source|grantedAt|evidence'],
  ['id|phoneNumber|Mobile|level|source|grantedAt', '-|phoneNumber|-|level|source|grantedAt'],
  ['phoneNumber|level|consent level|source|grantedAt', 'phoneNumber|level|-|source|grantedAt'],
])('the columns %s are %s', (headers, fields) => {
  expect(mapped(headers)).toBe(fields);
});

test('what map says has precedence', () => {
  const fields = mapped(
    'a|level|b|source|grantedAt',
    ['a', 'phoneNumber'],
    ['level', 'ignore'],
    ['b', 'level'],
  );
  expect(fields).toBe('phoneNumber|-|level|source|grantedAt');
});

test.each([
  [
    'phoneNumber|level|grantedAt',
    'The header must have the column source; map=Column:source names another one',
  ],
  [
    'Phone|Mobile|level|source|grantedAt',
    'The columns "Phone" and "Mobile" may both be phoneNumber; choose one, for example with map=Phone:phoneNumber',
  ],
])('%s is refused: %s', (headers, message) => {
  expect(mapped(headers)).toBe(message);
});

test('map must name columns of the file, each once', () => {
  expect(mapped(ALL, ['x', 'level'])).toBe('The header has no column "x", which map names');
  expect(mapped(ALL, ['level', 'level'], ['level', 'ignore'])).toBe('map names the column "level" twice');
});
