import { type CountryCode, parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { isInternational, parsePhoneNumber, parseStoredNumber } from '../../src/domain/phone-number.js';
import examples from './example-numbers.json';

const refused = (message: string | RegExp) => ({
  ok: false,
  message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
});

describe('a number without + that begins with the calling code of the team’s own country', () => {
  test.each([
    ['DE', '4915112345678', '+494915112345678', '+4915112345678'],
    ['DE', '49 160 2229999', '+49491602229999', '+491602229999'],
    ['DE', '４９１６０２２２９９９９', '+49491602229999', '+491602229999'],
    ['DE', '496128966000', '+49496128966000', '+496128966000'],
    ['IT', '3906123456', '+393906123456', '+3906123456'],
  ])('team %s: %s can be two numbers', (country, text, national, international) => {
    const message = `phoneNumber can be ${national} or ${international}: it must begin with + and the country code`;
    expect(parsePhoneNumber(text, country)).toEqual({ ...refused(message), ambiguous: true });
    // A removal needs one number, too.
    expect(parseStoredNumber(text, country)).toEqual({ ...refused(message), ambiguous: true });
  });

  test.each([
    ['US', '1 415 555 2671', '+14155552671'],
    ['US', '14155552671', '+14155552671'],
    ['DE', '0049 151 12345678', '+4915112345678'],
    ['DE', '+49 151 12345678', '+4915112345678'],
    ['DE', '0151 12345678', '+4915112345678'],
    ['FR', '33 1 42 68 53 00', '+33142685300'],
    ['GB', '442079460958', '+442079460958'],
  ])('team %s: %s is one number', (country, text, e164) => {
    expect(parsePhoneNumber(text, country)).toMatchObject({ ok: true, e164 });
  });
});

describe('numbers as spreadsheets write them', () => {
  test.each([
    ['DE', '1711234567.0'],
    ['DE', '30901820.0'],
    ['DE', '4930901820.0'],
    ['DE', '+4930901820.0'],
    ['AT', '15134567.00'],
    ['US', '4155552671．0'],
    ['US', '4.155550148E9'],
    ['DE', '1.71E+09'],
    ['DE', '1,71e+09'],
    ['DE', '+4.91511E+12'],
  ])('team %s: %s is refused', (country, text) => {
    const message = 'phoneNumber must be the digits of a phone number, not a decimal number of a spreadsheet';
    expect(parsePhoneNumber(text, country)).toEqual(refused(message));
  });

  test.each([
    ['FR', '01.42.68.53.00', '+33142685300'],
    ['US', '415.555.2671', '+14155552671'],
    ['US', '415.5552671', '+14155552671'],
    ['US', '415.555.2000', '+14155552000'],
  ])('team %s: the dots of %s separate groups', (country, text, e164) => {
    expect(parsePhoneNumber(text, country)).toMatchObject({ ok: true, e164 });
  });
});

/** Examples of libphonenumber that its own metadata do not accept as valid. */
const NOT_VALID: Record<string, string> = {
  'BJ voip': 'has 8 digits, and since 2024 numbers of Benin have 10',
  'BJ uan': 'has 8 digits, and since 2024 numbers of Benin have 10',
  'IR uan': 'is a short code, which has fewer digits than E.164 requires',
  'ZW fixedLine': 'is in a range that the description of valid numbers leaves out',
};

test('libphonenumber’s example of every country and type is accepted in national form', () => {
  const differ: string[] = [];
  let accepted = 0;
  for (const [country, types] of Object.entries(examples)) {
    for (const [type, digits] of Object.entries(types)) {
      if (NOT_VALID[`${country} ${type}`] !== undefined) continue;
      const example = parsePhoneNumberWithError(digits, { defaultCountry: country as CountryCode });
      for (const text of [digits, example.formatNational()]) {
        const parsed = parsePhoneNumber(text, country);
        const neverDialed = !parsed.ok && parsed.message.endsWith('which is never dialed');
        if (isInternational(text)) differ.push(`${country} ${type}: the national form is international`);
        if (parsed.ok && parsed.e164 === example.number) accepted += 1;
        else if (!neverDialed) differ.push(`${country} ${type}: ${text}`);
      }
    }
  }
  expect(differ).toEqual([]);
  expect(accepted).toBeGreaterThan(1_500);
});

describe('costly ranges are refused as premium is', () => {
  test.each([
    '+870773111632',
    '+878101234567890',
    '+881612345678',
    '+882161234567',
    '+883510012345',
    '+888 1234 5678 901',
    '+447012345678',
  ])('%s', (text) => {
    expect(parsePhoneNumber(text, null)).toEqual(
      refused('phoneNumber is a satellite, personal or other costly number, which is never dialed'),
    );
    expect(parsePhoneNumber(text, null, 'phoneNumber', true).ok).toBe(false);
    expect(parseStoredNumber(text, null)).toMatchObject({ ok: true });
  });

  test('Bangladesh and Taiwan are countries', () => {
    expect(parsePhoneNumber('+8801812345678', null)).toMatchObject({ ok: true, country: 'BD' });
    expect(parsePhoneNumber('+886912345678', null)).toMatchObject({ ok: true, country: 'TW' });
  });
});

describe('ranges that are newer than the metadata', () => {
  test.each(['+1 436 555 0123', '+1 457 555 0123'])('%s', (text) => {
    const e164 = text.replaceAll(' ', '');
    expect(parsePhoneNumber(text, 'US')).toEqual(refused('phoneNumber is not a valid phone number'));
    const accepted = { ok: true, e164, country: 'US', unknownRange: true };
    expect(parsePhoneNumber(text, 'US', 'phoneNumber', true)).toEqual(accepted);
    expect(parsePhoneNumber(text.slice(3), 'US', 'phoneNumber', true)).toEqual(accepted);
    // The number itself shows that it is of an unknown range.
    expect(parsePhoneNumber(e164, null, 'phoneNumber', true)).toEqual(accepted);
  });

  test.each(['+1415555267', '+141555526711', '+4911833', '110', '911', '+999123456789'])(
    '%s is not possible',
    (text) => {
      expect(parsePhoneNumber(text, 'DE', 'phoneNumber', true).ok).toBe(false);
    },
  );

  test('known numbers carry no warning, and premium numbers stay refused', () => {
    expect(parsePhoneNumber('+14155552671', null, 'phoneNumber', true)).toEqual({
      ok: true,
      e164: '+14155552671',
      country: 'US',
    });
    expect(parsePhoneNumber('+19005551234', null, 'phoneNumber', true).ok).toBe(false);
    expect(parsePhoneNumber('4915112345678', 'DE', 'phoneNumber', true)).toMatchObject({ ambiguous: true });
  });
});
