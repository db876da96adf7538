import { conversationResult } from '../../src/carriers/conversation-result.js';
import { jsonBytes, MAX_JSON_BYTES } from '../../src/http/validators.js';

const dataOf = (conversation: Parameters<typeof conversationResult>[0]) =>
  conversationResult(conversation, {})?.data ?? {};

test('nothing to tell is no result', () => {
  expect(conversationResult({}, { optOutPath: 'a', dispositionPath: 'b' })).toBeUndefined();
  expect(conversationResult({ transcript: '', analysis: {} }, {})).toBeUndefined();
});

test.each(['x', 'ü', '"', '😀', '\u0001'])(
  'a transcript of many %j is cut to 64 KB, and the result says so',
  (letter) => {
    const data = dataOf({ summary: 'short', transcript: letter.repeat(200_000), analysis: { a: 1 } });
    expect(jsonBytes(data)).toBeLessThanOrEqual(MAX_JSON_BYTES);
    expect(jsonBytes(data)).toBeGreaterThan(MAX_JSON_BYTES - 1_024);
    expect(data).toMatchObject({ summary: 'short', analysis: { a: 1 }, transcriptCut: true });
    const text = String(data.transcript);
    expect(Buffer.from(text).toString()).toBe(text);
  },
);

test('an analysis that is too large is left out, and its paths are read nevertheless', () => {
  const analysis = { custom: { do_not_call: 'Yes' }, rest: 'x'.repeat(100_000) };
  const result = conversationResult({ analysis, transcript: 'whole' }, { optOutPath: 'custom.do_not_call' });
  expect(result).toEqual({
    disposition: null,
    callbackAt: null,
    optOut: true,
    data: { analysisCut: true, transcript: 'whole' },
  });
});

test('what Postgres cannot store is left out', () => {
  const data = dataOf({
    transcript: 'a\u0000b\ud800',
    analysis: { 'k\u0000': ['\u0000', { deep: '\udc00' }] },
  });
  expect(data).toEqual({ transcript: 'ab\ufffd', analysis: { k: ['', { deep: '\ufffd' }] } });
});

test.each([
  [true, true],
  ['true', true],
  [' YES ', true],
  [false, false],
  ['no', false],
  [1, false],
  [null, false],
  [{ value: true }, false],
])('%j at the path of an opt-out is %s', (value, optOut) => {
  const result = conversationResult({ summary: 's', analysis: { asked: value } }, { optOutPath: 'asked' });
  expect(result?.optOut).toBe(optOut);
});

test.each([
  ['interested', 'interested'],
  [' x '.repeat(60), `${'x  '.repeat(27)}`.slice(0, 80)],
  [7, '7'],
  [false, 'false'],
  ['   ', null],
  [['a'], null],
])('%j at the path of a disposition is %j', (value, disposition) => {
  const result = conversationResult({ summary: 's', analysis: { d: value } }, { dispositionPath: 'd' });
  expect(result?.disposition).toBe(disposition);
});

test('a path leads only through the object’s own names', () => {
  expect(
    conversationResult({ summary: 's', analysis: {} }, { dispositionPath: 'constructor.name' })?.disposition,
  ).toBeNull();
});
