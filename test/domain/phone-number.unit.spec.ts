import fc from 'fast-check';
import { type CountryCode, getCountries, getExampleNumber, isValidPhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import {
  isCountryCode,
  isInternational,
  maskPhoneNumber,
  parseStoredNumber,
  parsePhoneNumber,
} from '../../src/domain/phone-number.js';
import { expectEqual, expectSame } from '../support/compare.js';

const seeded = { seed: 415, numRuns: 400 };
const ok = (e164: string, country: string | null) => ({ ok: true, e164, country });
const refused = (message: RegExp | string) => ({
  ok: false,
  message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
});

/** One believable mobile number of every country that has any. */
const mobiles = getCountries().flatMap((country) => {
  const example = getExampleNumber(country, examples);
  return example ? [{ country, e164: example.number, national: example.formatNational() }] : [];
});
const anyMobile = fc.constantFrom(...mobiles);
const anyCountry = fc.constantFrom(null, ...getCountries());

describe('the spellings of one number', () => {
  test.each([
    '+14155552671',
    '+1 (415) 555-2671',
    '+1.415.555.2671',
    '  +1 415 555 2671\n',
    '＋１４１５５５５２６７１',
    '+１（４１５）５５５－２６７１',
    '+١٤١٥٥٥٥٢٦٧١',
    '+۱۴۱۵۵۵۵۲۶۷۱',
    '\u202a+1\u00a0415\u202f555‑2671\u202c',
    '+1\u200b4155552671',
  ])('%j', (text) => {
    expect(parsePhoneNumber(text, null)).toEqual(ok('+14155552671', 'US'));
    expect(isInternational(text)).toBe(true);
  });

  test('every number is parsed with random separators and digit scripts', () => {
    const zeros = [0x30, 0xff10, 0x660, 0x6f0];
    const separator = fc.constantFrom(
      '',
      '',
      ' ',
      '-',
      '.',
      '(',
      ')',
      '\u00a0',
      '\u2009',
      '–',
      '\u200b',
      '（',
      '．',
    );
    const spelling = anyMobile.chain(({ e164 }) =>
      fc.record({
        e164: fc.constant(e164),
        text: fc
          .tuple(
            fc.constantFrom('+', '＋', ' +', '\u202a+'),
            fc.tuple(
              ...[...e164.slice(1)].map((digit) =>
                fc
                  .tuple(fc.constantFrom(...zeros), separator)
                  .map(([zero, after]) => String.fromCodePoint(zero + Number(digit)) + after),
              ),
            ),
          )
          .map(([plus, digits]) => plus + digits.join('')),
      }),
    );
    fc.assert(
      fc.property(spelling, anyCountry, ({ e164, text }, team) => {
        const parsed = parsePhoneNumber(text, team);
        expectEqual(parsed, parsePhoneNumber(e164, null));
        expectSame(parsed.ok && parsed.e164, e164);
      }),
      seeded,
    );
  });

  test('a parsed number is parsed to itself, in any team’s country', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+＋]?[0-9 ().\-/]{5,20}$/), anyCountry, (text, team) => {
        const first = parsePhoneNumber(text, team);
        if (isInternational(text)) expectEqual(parsePhoneNumber(text, null), first);
        if (!first.ok) return;
        expectSame(/^\+[1-9]\d{6,14}$/.test(first.e164), true);
        expectSame(isValidPhoneNumber(first.e164), true);
        expectEqual(parsePhoneNumber(first.e164, null), first);
      }),
      { ...seeded, numRuns: 3_000 },
    );
  });
});

describe('national form', () => {
  test.each(mobiles.map(({ country, national, e164 }) => [country, national, e164]))(
    '%s %s',
    (country, national, e164) => {
      // Territories that share a plan with another country are told apart for some of their numbers only.
      expect(parsePhoneNumber(national, country)).toMatchObject({ ok: true, e164 });
      expect(isInternational(national)).toBe(false);
      expect(parsePhoneNumber(national, null)).toEqual(refused(/^phoneNumber must be in international form/));
    },
  );

  test('dialing prefixes and separated area codes are parsed', () => {
    expect(parsePhoneNumber('0041 44 668 18 00', 'DE')).toEqual(ok('+41446681800', 'CH'));
    expect(parsePhoneNumber('+49 (0)33203/1234', null)).toEqual(ok('+49332031234', 'DE'));
    expect(parsePhoneNumber('+49 30 9018/2012', null)).toEqual(ok('+493090182012', 'DE'));
    expect(parsePhoneNumber('030/901820', 'DE')).toEqual(ok('+4930901820', 'DE'));
    expect(parsePhoneNumber('+44 (0)20 7946 0958', null)).toEqual(ok('+442079460958', 'GB'));
  });

  test('an invalid default country has no effect', () => {
    expect(parsePhoneNumber('(415) 555-2671', 'constructor')).toEqual(refused(/international form/));
  });
});

describe('Mexican mobile numbers in the form used before 2019', () => {
  test.each(['+5215512345678', '+52 1 55 1234 5678', '＋521-55-1234-5678'])('%s', (text) => {
    expect(parsePhoneNumber(text, null)).toEqual(ok('+525512345678', 'MX'));
    expect(parsePhoneNumber(text, 'US')).toEqual(ok('+525512345678', 'MX'));
  });

  test('are parsed only in international form: in national form they may be numbers of the United States', () => {
    expect(parsePhoneNumber('1 415 555 2671', 'MX').ok).toBe(false);
  });

  test('are refused if they are invalid without the 1', () => {
    for (const text of ['+521 055 123 4567', '+521551234567', '+52 1 900 123 4567', '+5215512345678 ext 5'])
      expect([text, parsePhoneNumber(text, null).ok]).toEqual([text, false]);
  });
});

test('a stored number is of any type, and no other text', () => {
  expect(parseStoredNumber('+1 900 555 1234', null)).toEqual(ok('+19005551234', 'US'));
  expect(parseStoredNumber('+1 212 976 1234', null)).toEqual(ok('+12129761234', 'US'));
  expect(parseStoredNumber('+1415555', null)).toEqual(refused('phoneNumber is not a valid phone number'));
  expect(parseStoredNumber(7, null, 'item')).toEqual(refused('item must be a string'));
});

describe('numbers of no country', () => {
  test.each(['+80012345678', '+80812345678'])('%s', (text) => {
    expect(parsePhoneNumber(text, 'US').ok).toBe(text.startsWith('+800'));
    expect(parseStoredNumber(text, 'US')).toEqual(ok(text, null));
  });
});

test('isCountryCode', () => {
  for (const code of ['US', 'GB', 'DE', 'XK'] satisfies CountryCode[]) expect(isCountryCode(code)).toBe(true);
  for (const x of ['us', 'ZZ', '001', '', 'constructor', '__proto__', null, 1, ['US']]) {
    expect(isCountryCode(x)).toBe(false);
  }
});

describe('maskPhoneNumber', () => {
  test('shows the beginning and the end of a number', () => {
    expect(maskPhoneNumber('+14155552671')).toBe('+141•••71');
    expect(maskPhoneNumber('+2902264')).toBe('+•••64');
  });

  test('hides at least four digits of a number, and all other text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9][0-9]{6,14}$/), (e164) => {
        const shown = maskPhoneNumber(e164).replace(/\D/g, '');
        expect(shown.length).toBeLessThanOrEqual(e164.length - 1 - 4);
      }),
      seeded,
    );
    for (const text of ['', '+', '12', '+1234', 'Ada Lovelace', '415 555 2671'])
      expect(maskPhoneNumber(text)).toBe('•••');
  });
});
