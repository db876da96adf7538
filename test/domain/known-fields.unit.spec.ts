import fc from 'fast-check';
import { splitFields } from '../../src/domain/known-fields.js';
import { isBlank, trimmed } from '../../src/domain/trimmed.js';
import { expectEqual, expectSame } from '../support/compare.js';

const KNOWN = new Set(['name', 'email']);

test.each([null, '', undefined, ' ', '\u00A0\u200B'])('%j in a known field counts as not sent', (value) => {
  expect(splitFields({ name: value, email: 'ada@example.com' }, KNOWN)).toEqual({
    sent: { email: 'ada@example.com' },
    others: {},
  });
});

test.each([null, ''])('%j under another key is a value', (value) => {
  expect(splitFields({ plan: value }, KNOWN)).toEqual({ sent: {}, others: { plan: value } });
});

test.each(['0', 0, false, [], {}])('%j counts as sent', (value) => {
  expect(splitFields({ name: value }, KNOWN)).toEqual({ sent: { name: value }, others: {} });
});

test('texts of known fields are trimmed, and no others', () => {
  expect(splitFields({ name: '\u00A0Ada ', plan: ' gold ' }, KNOWN)).toEqual({
    sent: { name: 'Ada' },
    others: { plan: ' gold ' },
  });
});

test('only own keys count, whatever their names', () => {
  const body = Object.assign(Object.create({ name: 'inherited' }) as object, { toString: 1, constructor: 2 });
  expect(splitFields(body as Record<string, unknown>, KNOWN)).toEqual({
    sent: {},
    others: { toString: 1, constructor: 2 },
  });
});

test('every key of a body is a custom key, or a known field that was or was not sent', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('name', 'email', 'a', 'b', ''), fc.jsonValue()), (body) => {
      const { sent, others } = splitFields(body, KNOWN);
      for (const [key, value] of Object.entries(body)) {
        const absent = KNOWN.has(key) && (value === null || (typeof value === 'string' && isBlank(value)));
        expectSame(Object.hasOwn(sent, key), KNOWN.has(key) && !absent);
        expectSame(Object.hasOwn(others, key), !KNOWN.has(key));
      }
      const kept = Object.entries(body).filter(([key]) => key in sent || key in others);
      const read = kept.map(([key, value]) => [
        key,
        KNOWN.has(key) && typeof value === 'string' ? trimmed(value) : value,
      ]);
      expectEqual({ ...sent, ...others }, Object.fromEntries(read));
    }),
    { seed: 20261120, numRuns: 500 },
  );
});
