import { readOptOutNumbers } from '../../src/domain/opt-out-numbers.js';
import { parsePhoneNumber } from '../../src/domain/phone-number.js';
import examples from './example-numbers.json';

const listed = (...phoneNumbers: string[]) => ({ ok: true, phoneNumbers });

describe('every reading of a text is listed', () => {
  test.each([
    ['DE', '4915112345678', ['+494915112345678', '+4915112345678']],
    ['DE', '491602229999', ['+49491602229999', '+491602229999']],
    ['IT', '3906123456', ['+393906123456', '+3906123456']],
    // Only one reading is a number.
    ['DE', '015112345678', ['+4915112345678']],
    ['US', '4915112345678', ['+4915112345678']],
    ['US', '00 49 151 12345678', ['+4915112345678']],
    [null, '4915112345678', ['+4915112345678']],
    ['US', '14155550142', ['+14155550142']],
    ['DE', '030 901820/21', ['+4930901820', '+4930901821']],
    ['DE', '+49 30 901820/21', ['+4930901820', '+4930901821']],
    ['DE', '030/901821', ['+4930901821']],
    ['MX', '+52 1 55 1234 5678', ['+525512345678']],
  ])('team %s: %j', (country, text, numbers) => {
    expect(readOptOutNumbers(text, country)).toEqual(listed(...numbers));
  });
});

describe('extensions, other columns and marks of spreadsheets are ignored', () => {
  test.each([
    ['US', '\uFEFF4155550142', '+14155550142'],
    ['US', '415,5550143', '+14155550143'],
    ['US', '415-555-0144 x12', '+14155550144'],
    ['US', '+14155550144;ext=12', '+14155550144'],
    ['US', '415-555-0144 ext. 12', '+14155550144'],
    ['US', '4155550145,2026-01-01', '+14155550145'],
    ['DE', '2026-01-01;+49 30 901820;Ada', '+4930901820'],
    ['US', '"4155550146"', '+14155550146'],
    ['US', '(415) 555-0147\t', '+14155550147'],
    ['US', '4.155550148E9', '+14155550148'],
    ['US', '4.15555015E+09', '+14155550150'],
    ['DE', '1711234567.0', '+491711234567'],
    ['DE', '+4930901820.00', '+4930901820'],
    ['US', 'Ada Lovelace|+1 415 555 0149', '+14155550149'],
    ['US', 'Tel.: +1 415 555 0149', '+14155550149'],
    ['US', '1001,415-555-0149', '+14155550149'],
  ])('team %s: %j', (country, text, number) => {
    expect(readOptOutNumbers(text, country)).toEqual(listed(number));
  });
});

test('numbers that are never dialed and numbers of unknown ranges are listed', () => {
  for (const text of ['+19005551234', '+12129761234', '+881612345678', '+447012345678', '+14365550123']) {
    expect(readOptOutNumbers(text, null)).toEqual(listed(text));
  }
});

test('every number that a team may dial is listed as that number', () => {
  for (const [country, types] of Object.entries(examples)) {
    for (const text of Object.values(types)) {
      const parsed = parsePhoneNumber(text, country);
      const read = readOptOutNumbers(text, country);
      if (parsed.ok) expect(read.ok && read.phoneNumbers.includes(parsed.e164)).toBe(true);
    }
  }
});

test.each([
  ['DE', 'phone_number', 'is not a phone number'],
  ['DE', '1.71E+09', 'is not a phone number'],
  ['US', '911', 'is not a phone number'],
  ['US', '2026-01-01', 'is not a phone number'],
  ['US', ' ', 'must not be empty'],
  [
    null,
    '030 901820',
    'must be in international form, such as +14155552671: the team has no default country',
  ],
])('holds no number: team %s, %j', (country, text, predicate) => {
  expect(readOptOutNumbers(text, country, 'item')).toEqual({ ok: false, message: `item ${predicate}` });
});

test('what is not text is refused', () => {
  expect(readOptOutNumbers(4155550142, 'US', 'item')).toEqual({
    ok: false,
    message: 'item must be a string',
  });
});
