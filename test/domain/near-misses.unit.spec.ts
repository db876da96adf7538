import fc from 'fast-check';
import { ENROLL_KEYS } from '../../src/campaigns/enrollment/enroll-request.js';
import { CALL_KEYS } from '../../src/calls/trigger/request.js';
import { CONTACT_KEYS } from '../../src/contacts/contact-request.js';
import { MAX_WARNINGS, nearMisses } from '../../src/domain/near-misses.js';
import { isMisspelling } from '../../src/domain/spelling.js';

const about = (body: Record<string, unknown>, keys = CALL_KEYS) => nearMisses(body, keys);
const number = { phoneNumber: '+14155552671' };

describe('keys that look like a field', () => {
  test.each([
    ['timeZone', 'timezone'],
    ['time_zone', 'timezone'],
    ['Timezone', 'timezone'],
    ['tz', 'timezone'],
    ['full_name', 'fullName'],
    ['FullName', 'fullName'],
    ['from', 'fromPhoneNumber'],
    ['from_number', 'fromPhoneNumber'],
    ['callerId', 'fromPhoneNumber'],
    ['phone_number', 'phoneNumber'],
    ['Phone-Number', 'phoneNumber'],
    ['e-mail', 'email'],
    ['emailAddress', 'email'],
    ['company', 'companyName'],
    ['team_id', 'teamId'],
    ['number_pool_id', 'numberPoolId'],
  ])('of a call: %s is %s', (key, field) => {
    expect(about({ ...number, [key]: 'x' })).toEqual([
      { key, text: `${key} is not a field, so it is a variable of the call. The field is ${field}.` },
    ]);
  });

  test.each([
    ['campaign_id', 'campaignId'],
    ['CampaignID', 'campaignId'],
    ['fullName', 'name'],
    ['full_name', 'name'],
    ['timeZone', 'timezone'],
    ['website', 'companyWebsite'],
    ['phone_number', 'phoneNumber'],
  ])('of a contact: %s is %s', (key, field) => {
    expect(about({ ...number, [key]: 'x' }, CONTACT_KEYS)).toEqual([
      { key, text: `${key} is not a field, so it is stored as a custom property. The field is ${field}.` },
    ]);
  });

  test.each([
    ['contact_id', 'contactId'],
    ['campaign', 'campaignId'],
    ['versionId', 'version'],
    ['Source', 'source'],
  ])('of an enrollment: %s is %s', (key, field) => {
    expect(about({ [key]: 'x' }, ENROLL_KEYS)).toEqual([
      { key, text: `${key} is not a field, so it is ignored. The field is ${field}.` },
    ]);
  });

  test.each(['scheduledAt', 'scheduled_at', 'runAt', 'runsAt', 'start_at', 'trigger_timestamp'])(
    '%s does not schedule a call',
    (key) => {
      for (const keys of [CALL_KEYS, CONTACT_KEYS, ENROLL_KEYS]) {
        const [warning, ...more] = about({ [key]: '2026-12-01T09:00:00Z' }, keys);
        expect(more).toEqual([]);
        expect(warning).toEqual({ key, text: expect.stringContaining('does not schedule a call') as string });
      }
    },
  );

  test('an object of variables or properties is one variable or property', () => {
    expect(about({ ...number, dynamic_variables: { order: 1 } })).toHaveLength(1);
    expect(about({ ...number, customProperties: { plan: 'gold' } }, CONTACT_KEYS)).toHaveLength(1);
    expect(about({ ...number, variables: 3, customProperties: {} })).toEqual([]);
  });

  test('another product’s name is not warned about beside the field itself, another spelling is', () => {
    expect(
      about({ ...number, phone: 'x', timezone: 'UTC', tz: 'x', fullName: 'Ada', contactName: 'x' }),
    ).toEqual([]);
    expect(about({ timezone: 'UTC', timeZone: 'UTC' })).toMatchObject([{ key: 'timeZone' }]);
  });
});

test('known keys and ordinary variables and properties have no warning', () => {
  for (const keys of [CALL_KEYS, CONTACT_KEYS, ENROLL_KEYS]) {
    const body = Object.fromEntries([...keys.known].map((key) => [key, 'x']));
    expect(about(body, keys)).toEqual([]);
    const ordinary = {
      plan: 1,
      order: {},
      appointment: 'x',
      first_name: 'Ada',
      topic: 'x',
      zone: 'x',
      metadata: {},
    };
    expect(about({ ...body, ...ordinary }, keys)).toEqual([]);
  }
});

test('at most 20 warnings, and none that repeats a long key', () => {
  const spellings = Array.from({ length: 60 }, (_, n) => `${'_'.repeat(n)}timezone`);
  const warnings = about(Object.fromEntries(spellings.map((key) => [key, 1])));
  expect(warnings).toHaveLength(MAX_WARNINGS);
  expect(about({ [`${'_'.repeat(100)}time_zone`]: 1 })).toEqual([]);
});

test('any case, `_` and `-` of a field is a near miss', () => {
  const spelling = fc.constantFrom(...CALL_KEYS.known).chain((field) =>
    fc
      .array(fc.tuple(fc.boolean(), fc.constantFrom('', '', '_', '-')), {
        minLength: field.length,
        maxLength: field.length,
      })
      .map((changes) => ({
        field,
        key: [...field]
          .map((letter, n) => (changes[n]?.[0] ? letter.toUpperCase() : letter) + (changes[n]?.[1] ?? ''))
          .join(''),
      })),
  );
  fc.assert(
    fc.property(spelling, ({ field, key }) => {
      fc.pre(!CALL_KEYS.known.has(key) && key.length <= 40);
      const [warning] = about({ [key]: 1 });
      return warning?.text.includes(`The field is ${field}.`) === true;
    }),
    { seed: 41, numRuns: 300 },
  );
});

test.each([
  ['nmae', 'name', true],
  ['Name', 'name', true],
  ['nam', 'name', true],
  ['game', 'name', false],
  ['emial', 'email', true],
  ['phonenumbr', 'phoneNumber', true],
  ['compnayName', 'companyName', true],
  ['plan', 'name', false],
  ['email', 'name', false],
  ['x'.repeat(100_000), 'name', false],
])('%.20s is a misspelling of %s: %s', (sent, meant, expected) => {
  expect(isMisspelling(sent, meant)).toBe(expected);
});
