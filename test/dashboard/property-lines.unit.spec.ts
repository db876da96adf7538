import { propertyLines, readProperties } from '../../src/dashboard/contacts/property-lines.js';

const read = (text: string) => readProperties(text, (key) => key === 'email');

test.each<[string, Record<string, unknown>]>([
  ['plan: gold', { plan: 'gold' }],
  ['  plan :  gold member  ', { plan: 'gold member' }],
  ['a: 1\r\n\r\nb: true\nc: null', { a: 1, b: true, c: null }],
  ['url: https://example.com/?a=b', { url: 'https://example.com/?a=b' }],
  ['tags: ["a", "b"]', { tags: ['a', 'b'] }],
  ['"a:b": x', { 'a:b': 'x' }],
  ['code: "42"', { code: '42' }],
  // As numbers they would become others.
  [
    'zip: 01234\nlong: 12345678901234567890\nprice: 1.50',
    { zip: '01234', long: '12345678901234567890', price: '1.50' },
  ],
  ['empty:', { empty: '' }],
])('%j is read', (text, properties) => {
  expect(read(text)).toEqual({ properties, faults: [] });
});

test.each([
  ['plan gold', 'Line 1 must be a key, a colon and a value.'],
  [': gold', 'Line 1 must be a key, a colon and a value.'],
  ['"plan: gold', 'Line 1 must be a key, a colon and a value.'],
  ['a: 1\na: 2', 'Line 2: a is there already.'],
  ['a: 1\n\nemail: x', 'Line 3: email has a field of its own.'],
])('%j is refused', (text, fault) => {
  expect(read(text).faults).toEqual([fault]);
});

test('what is written is read as it was', () => {
  const properties = {
    plan: 'gold',
    number: 42,
    digits: '42',
    truth: 'true',
    yes: true,
    nothing: null,
    empty: '',
    spaced: ' x ',
    lines: 'a\nb',
    quoted: '"x"',
    list: [1, { a: 'b' }],
    'a:b': 1,
    '"q"': 2,
    ' edge': 3,
    __proto__x: 4,
  };
  expect(read(propertyLines(properties))).toEqual({ properties, faults: [] });
});
