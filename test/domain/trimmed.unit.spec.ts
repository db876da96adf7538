import { isBlank, trimmed } from '../../src/domain/trimmed.js';

test.each([
  [' ada@example.com ', 'ada@example.com'],
  ['\u00A0Ada Lovelace\u00A0', 'Ada Lovelace'],
  ['\u200BEurope/Berlin\uFEFF', 'Europe/Berlin'],
  ['\u2060\u3000a\u202F\u200D', 'a'],
  ['\t\r\nx y\n', 'x y'],
  ['a', 'a'],
  ['', ''],
])('%j is trimmed to %j', (text, rest) => {
  expect(trimmed(text)).toBe(rest);
});

test.each(['', ' ', '\u00A0\u200B', '\t\n'])('%j is blank', (text) => {
  expect(isBlank(text)).toBe(true);
});

test('a long run of spaces in a text takes no time', () => {
  const text = `a${' '.repeat(1_000_000)}b`;
  expect(trimmed(text)).toBe(text);
});
