import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { MAX_PHONE_NUMBER_TEXT, isInternational, parsePhoneNumber } from '../../src/domain/phone-number.js';
import { expectSame } from '../support/compare.js';
import { anyText } from '../support/text.js';

const seeded = { seed: 900, numRuns: 400 };
const ok = (e164: string, country: string | null) => ({ ok: true, e164, country });
const refused = (message: RegExp | string) => ({
  ok: false,
  message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
});

const anyMobile = fc.constantFrom(
  ...getCountries().flatMap((country) => getExampleNumber(country, examples)?.number ?? []),
);
const anyCountry = fc.constantFrom(null, ...getCountries());

describe('refusals', () => {
  test.each([undefined, null, 14155552671, true, {}, ['+14155552671'], Symbol('+14155552671')])(
    '%p',
    (input) => {
      expect(parsePhoneNumber(input, 'US')).toEqual(refused('phoneNumber must be a string'));
    },
  );

  test('name the field', () => {
    expect(parsePhoneNumber(1, null, 'fromPhoneNumber')).toEqual(refused('fromPhoneNumber must be a string'));
  });

  test.each(['', '   ', '\u200b'])('empty: %j', (text) => {
    expect(parsePhoneNumber(text, 'US')).toEqual(refused('phoneNumber must not be empty'));
  });

  test('long text is not parsed', () => {
    const longest = `+14155552671${' '.repeat(MAX_PHONE_NUMBER_TEXT - 12)}`;
    expect(parsePhoneNumber(longest, null)).toEqual(ok('+14155552671', 'US'));
    expect(parsePhoneNumber(`${longest} `, null)).toEqual(
      refused('phoneNumber must be at most 64 characters'),
    );
    expect(parsePhoneNumber('+1'.repeat(500_000), null).ok).toBe(false);
    expect(isInternational(`+${'1'.repeat(1_000_000)}`)).toBe(false);
  });

  test.each([
    '+14155552671 ext 5',
    '+14155552671;ext=5',
    '+14155552671x5',
    '+14155552671,,5',
    '+14155552671#5',
  ])('extension: %j', (text) => {
    expect(parsePhoneNumber(text, 'US').ok).toBe(false);
  });

  test.each([
    '+14155552671 call me',
    'call +14155552671',
    '+',
    'tel:+14155552671',
    '+14155552671 +14155552672',
    '+14155552671, +14155552672',
    '+14155552671/2672',
    '+49 30 901820/21',
    '+49 30 901820/2021',
    '+49 30 90182/0123',
    '+49 30/901',
    '+49 30 901820/0',
    '+49 30/90/1820',
    '030 901820\n030 901821',
    '++14155552671',
    '(+1) 415 555 2671',
    '+1800FLOWERS',
    '1-800-FLOWERS',
    '+1415555267१',
    '+1 415 555 267\0' + '1',
    '{{contact.phoneNumber}}',
  ])('not exactly one number: %j', (text) => {
    expect(parsePhoneNumber(text, 'DE')).toEqual(
      refused('phoneNumber must be one phone number and nothing else'),
    );
  });

  test.each([
    '+1',
    '+1415555267',
    '+141555526711',
    '+999123456789',
    '+10005552671',
    '+49301234567890123',
    '.',
  ])('no number of any country: %j', (text) => {
    expect(parsePhoneNumber(text, 'US')).toEqual(refused('phoneNumber is not a valid phone number'));
  });

  test('more digits than E.164 allows, in any country', () => {
    expect(parsePhoneNumber('+493012345678901', null).ok).toBe(true);
    expect(parsePhoneNumber('+4930123456789012', null)).toEqual(
      refused('phoneNumber is not a valid phone number'),
    );
  });

  test.each([
    ['NANP 900', '+1 900 555 1234'],
    ['NANP 976', '+1 212 976 1234'],
    ['GB 09', '+44 906 123 4567'],
    ['GB 0843', '+44 843 123 4567'],
    ['DE 0900', '+49 900 1 234567'],
    ['CH 0900', '+41 900 123 456'],
    ['AU 1900', '+61 1900 123 456'],
    ['AU 13, shared cost', '+61 13 12 34'],
    ['FR 0892', '+33 892 12 34 56'],
    ['FR 081, shared cost', '+33 810 12 34 56'],
    ['ES 902, shared cost', '+34 902 12 34 56'],
    ['international premium', '+979 123 456 789'],
  ])('never dialed: %s', (_name, text) => {
    expect(parsePhoneNumber(text, null)).toEqual(refused(/premium-rate or shared-cost/));
  });

  test('the exchange 976 outside the United States and Canada is valid', () => {
    expect(parsePhoneNumber('+1 876 976 1234', null)).toEqual(ok('+18769761234', 'JM'));
  });

  test.each(['000', '110', '112', '118', '119', '190', '911', '999', '15', '17', '18', '08', '115', '988'])(
    'emergency and short code %s, in every country',
    (code) => {
      for (const country of getCountries()) expectSame(parsePhoneNumber(code, country).ok, false);
    },
  );

  test('a character that does not belong to a number', () => {
    const other = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
    const junk = other.filter((s) => !/^[\p{Nd}\p{Pd}\p{Zs}\p{Cf}\s+＋−ー.．/／()（）[\]［］]*$/u.test(s));
    fc.assert(
      fc.property(anyMobile, fc.nat(), junk, (e164, at, text) => {
        const i = at % (e164.length + 1);
        expectSame(parsePhoneNumber(e164.slice(0, i) + text + e164.slice(i), null).ok, false);
      }),
      seeded,
    );
  });

  test('never throw and never repeat the text', () => {
    fc.assert(
      fc.property(anyText({ minLength: 12, maxLength: 80 }), anyCountry, (text, team) => {
        const result = parsePhoneNumber(text, team);
        if (!result.ok) expect(result.message).not.toContain(text);
      }),
      seeded,
    );
  });
});
