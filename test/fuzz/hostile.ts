import fc from 'fast-check';
import { anyText } from '../support/text.js';

/** Fills that stand for ids of the planted teams: see FuzzRequest. */
export const IDS = [
  'teamId',
  'agentId',
  'contactId',
  'looseContactId',
  'campaignId',
  'draftlessCampaignId',
  'pausedCampaignId',
  'publishedVersionId',
  'draftVersionId',
  'activeEnrollmentId',
  'pausedEnrollmentId',
  'exitedEnrollmentId',
  'pendingCallId',
  'completedCallId',
  'unknownCallId',
  'poolId',
  'phoneNumberId',
  'spareKeyId',
] as const;

const anyId = fc
  .tuple(fc.constantFrom('own', 'own', 'foreign'), fc.constantFrom(...IDS))
  .map(([whose, id]) => `<${whose}.${id}>`);

/** An id: of the right kind, of any kind, another team's, an unknown one. */
export function id(own: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(`<own.${own}>`) },
    { weight: 2, arbitrary: fc.constant(`<foreign.${own}>`) },
    { weight: 2, arbitrary: anyId },
    { weight: 1, arbitrary: fc.uuid() },
  );
}

/** Text that has broken programs before. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u200b\ufeff',
    '𝒜😀👩‍👩‍👧‍👦',
    'İı\u0130ß',
    "'; DROP TABLE teams; --",
    '${7*7}{{contact.constructor.name}}',
    '{{contact}}',
    '%00%0a%s%n',
    '../../../etc/passwd',
    '<script>alert(1)</script>',
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '1e400',
    '-1',
    '0x10',
    '9'.repeat(400),
    '2026-02-30T25:61:00Z',
    '+275760-09-13T00:00:00.001Z',
    'Europe/../Berlin',
    'current',
    'draft',
  ),
  anyText({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .constantFrom('x', '😀', '\u0000', '\\', '"', '٣')
    .chain((unit) =>
      fc.constantFrom(64, 65, 200, 201, 2_049, 66_000, 300_000).map((count) => unit.repeat(count)),
    ),
);

/** Numbers in good and bad spellings. */
export const anyPhoneNumber = fc.oneof(
  fc.integer({ min: 0, max: 9_999 }).map((last) => `+1415555${String(last).padStart(4, '0')}`),
  fc.constantFrom(
    '<own.contact>',
    '<own.doNotCall>',
    '<own.free>',
    '+1 (415) 555-2671',
    '(415) 555-2671',
    '＋１４１５５５５２６７１',
    '+١٤١٥٥٥٥٢٦٧١',
    '+14155552671;ext=5',
    '+19005551234',
    '+80012345678',
    '911',
    '+',
    '+0',
    '+1'.repeat(40),
  ),
);

/** JSON that `JSON.stringify` would not write. */
const rawJson = fc.oneof(
  fc.constantFrom(
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '1e999',
    '-1e999',
    '-0',
    '01',
    'NaN',
    'undefined',
    '1.7976931348623157e309',
    '12345678901234567890123',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"\\u005f_proto__":1}',
    '{"toString":1,"valueOf":2,"hasOwnProperty":3,"toJSON":"x","length":-1,"then":1}',
    '{"a":1,"a":2}',
    '{"$gt":""}',
    '[1,2',
    '{"a"',
    '"',
    '',
    '\ufeff1',
    "'x'",
    '/**/1',
  ),
  fc
    .constantFrom(31, 32, 33, 5_000)
    .chain((depth) =>
      fc.constantFrom(
        '['.repeat(depth) + ']'.repeat(depth),
        '{"a":'.repeat(depth) + '1' + '}'.repeat(depth),
        '['.repeat(depth),
      ),
    ),
  fc.constantFrom(1_000, 20_000).map((count) => `[${Array(count).fill('{}').join()}]`),
  fc
    .constantFrom(10_000, 70_000)
    .map((count) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`),
);

/** The JSON text of a value for a field whose valid values are `valid`. */
export function jsonText(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 30, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: text.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anyPhoneNumber.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anyId.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: rawJson },
    {
      weight: 1,
      arbitrary: fc.constantFrom('null', 'true', 'false', '0', '1', '-1', '"5"', '[]', '{}', '[null]'),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)) },
  );
}

/** A key of an object, as JSON text. */
export const jsonKey: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom('plan', 'order', 'vip', 'größe', 'contact') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '__proto__',
        'constructor',
        'prototype',
        'toString',
        'hasOwnProperty',
        'then',
        'toJSON',
        '',
        'contactId',
        'callRequestId',
        'status',
        'id',
        'team_id',
        'success',
        'reason',
        '\0',
        '\ud800',
      ),
    },
    { weight: 1, arbitrary: text },
  )
  .map((key) => JSON.stringify(key));
