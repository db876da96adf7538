import fc from 'fast-check';
import { scanJson } from '../../src/http/json-scan.js';
import { MAX_NESTING, MAX_VALUES, parseJsonObject } from '../../src/http/json-body.js';

const seeded = { seed: 256, numRuns: 400 };
const parse = (text: string) => parseJsonObject(Buffer.from(text, 'utf8'));
const refused = (message: string, field?: string) => ({
  ok: false,
  message,
  // What is not repeated has no path.
  problems: message.split(/; (?!it must|send it)/).map((one) => ({
    path: /^(?:The body|A field) /.test(one) ? '' : one.split(' ')[0],
    message: one,
  })),
  ...(field === undefined ? {} : { field }),
});

/** `levels` containers, one inside the other, the body's own object being the first. */
const nested = (levels: number, open = '[', close = ']') =>
  `{"deep":${open.repeat(levels - 1)}${open === '[' ? '' : '1'}${close.repeat(levels - 1)}}`;

describe('a body is', () => {
  test('an object, parsed like JSON.parse', () => {
    const text =
      '{"phoneNumber":"+1","n":-1.5e3,"t":true,"z":null,"a":[1,{"b":"ü😀"}],"":0,"constructor":"x"}';
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
    expect(parse('{}')).toEqual({ ok: true, value: {} });
  });

  test('parsed without a byte order mark and white space around it', () => {
    expect(parse('\uFEFF {"a":1}\r\n')).toEqual({ ok: true, value: { a: 1 } });
  });

  test('the last value of a key that was sent twice', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ ok: true, value: { a: 2 } });
  });

  test.each(['', ' \n', '\uFEFF'])('not empty: %j', (text) => {
    expect(parse(text)).toEqual(refused('The body is empty; it must be a JSON object'));
  });

  test.each(['[]', '[{"a":1}]', 'null', '"text"', '1', 'true'])('not %s', (text) => {
    expect(parse(text)).toEqual(refused('The body must be a JSON object'));
  });

  test.each([
    '{',
    '{"a":}',
    "{'a':1}",
    '{"a":1}{',
    '{"a":NaN}',
    '{"a":01}',
    '{"secret',
    '{"a":"\0"}',
    'a=1&b=2',
  ])('not %j, and the message does not repeat it', (text) => {
    expect(parse(text)).toEqual(refused('The body is not valid JSON'));
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a cut-off sequence', [0xe2, 0x82]],
    ['Latin-1', [0xfc]],
  ])('not UTF-8: %s', (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(parseJsonObject(body)).toEqual(refused('The body is not valid UTF-8'));
  });

  test('not UTF-16', () => {
    expect(parseJsonObject(Buffer.from('\uFEFF{"a":1}', 'utf16le')).ok).toBe(false);
  });
});

describe('values that cannot be stored are refused', () => {
  test.each([
    ['{"notes":"a\\u0000b"}', 'notes', 'notes'],
    ['{"customer":{"notes":"\\ud800"}}', 'customer.notes', 'customer'],
    ['{"customer":{"notes":"\\udc00\\ud800"}}', 'customer.notes', 'customer'],
    ['{"list":["ok",["\\u0000"]]}', 'list.1.0', 'list'],
    ['{"größe":"\\u0000"}', 'größe', 'größe'],
  ])('the string in %s', (text, path, field) => {
    expect(parse(text)).toEqual(refused(`${path} contains a character that cannot be stored`, field));
  });

  test('a key', () => {
    expect(parse('{"a\\u0000":1}')).toEqual(
      refused('The body has a key with a character that cannot be stored'),
    );
    expect(parse('{"customer":{"\\udfff":1}}')).toEqual(
      refused('customer has a key with a character that cannot be stored', 'customer'),
    );
  });

  test('but not harmless escapes', () => {
    expect(parse('{"a":"\\u00fc \\ud83d\\ude00 \\\\u0000"}')).toEqual({
      ok: true,
      value: { a: 'ü 😀 \\u0000' },
    });
  });

  test.each([
    '1e999',
    '-1e999',
    '9'.repeat(400),
    '9007199254740993',
    '-9007199254740993',
    '9007199254740994',
    '18446744073709551615',
    '1e-400',
    '0.1234567890123456789',
    '1.00000000000000001',
    '123456789012345678e-3',
  ])('the number %s', (number) => {
    const lossy = 'is a number that cannot be kept exactly; send it as a string';
    expect(parse(`{"a":{"b":[1.5,{"c}":"]"},${number}]}}`)).toEqual(refused(`a.b.2 ${lossy}`, 'a'));
    expect(parse(`{"x":[[],{}],"a\\\\":{"n": ${number} }}`)).toEqual(refused(`A field ${lossy}`, 'a\\'));
    expect(parse('{"a":1e308}').ok).toBe(true);
  });

  test.each([
    ['{"__proto__":{"admin":true}}', 'The body', undefined],
    ['{"a":{"__proto__":1}}', 'a', 'a'],
    ['{"a":[{"b":{"\\u005f_proto__":null}}]}', 'a.0.b', 'a'],
  ])('the key of %s', (text, subject, field) => {
    expect(parse(text)).toEqual(refused(`${subject} has a key named __proto__, which is not allowed`, field));
  });

  test('all faults are named, up to twenty', () => {
    const lossy = 'is a number that cannot be kept exactly; send it as a string';
    expect(parse('{"a":9007199254740993,"b":{"c":1e999}}')).toEqual(refused(`a ${lossy}; b.c ${lossy}`, 'a'));
    const character = 'contains a character that cannot be stored';
    expect(parse('{"a":"\\u0000","b":1,"c":["\\ud800"]}')).toEqual(
      refused(`a ${character}; c.0 ${character}`, 'a'),
    );
    for (const bad of ['"\\u0000"', '1e999']) {
      const many = parse(`{"a":[${Array(25_000).fill(bad).join()}]}`);
      expect(many.ok ? '' : many.message.match(/a\.\d+ /g)).toHaveLength(20);
    }
  });

  test('an unprintable key is not repeated', () => {
    const long = 'k'.repeat(100_000);
    expect(parse(`{"${long}":"\\u0000"}`)).toEqual(
      refused('A field contains a character that cannot be stored', long),
    );
    expect(parse('{"a":{"<b>":"\\u0000"}}')).toEqual(
      refused('a contains a character that cannot be stored', 'a'),
    );
  });
});

describe('nesting', () => {
  test('is accepted up to the limit only', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"k":', '}'],
    ]) {
      expect(parse(nested(MAX_NESTING, open, close)).ok).toBe(true);
      expect(parse(nested(MAX_NESTING + 1, open, close))).toEqual(
        refused('deep is nested more than 32 levels deep', 'deep'),
      );
    }
  });

  test.each([20_000, 100_000, 1_000_000])('of %d levels neither crashes nor hangs', (levels) => {
    const started = performance.now();
    expect(parse(nested(levels)).ok).toBe(false);
    expect(parse(nested(levels, '{"k":', '}')).ok).toBe(false);
    expect(parse('['.repeat(levels)).ok).toBe(false);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('a failure of the parser is a refusal', () => {
    const spy = jest.spyOn(JSON, 'parse').mockImplementationOnce(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    expect(parse('{}')).toEqual(refused('The body is nested more than 32 levels deep'));
    spy.mockRestore();
  });

  test('of many flat containers is accepted', () => {
    expect(parse(`{"a":[${'[],'.repeat(MAX_VALUES - 3)}{}]}`).ok).toBe(true);
  });
});

describe('the number of values', () => {
  const tooMany = refused(`The body must have at most 10 JSON values`);
  const parseTen = (text: string) => parseJsonObject(Buffer.from(text), { maxValues: 10 });

  test.each([
    '{"a":[1,-2.5e3,"x",true,false,null,{},[]]}',
    '{"a":1,"b":{"c":"d:{[","e\\"":[1,2,[3]]},"":{}}',
  ])('may be ten and not eleven: %s', (text) => {
    expect(parseTen(text).ok).toBe(true);
    expect(parseTen(text.replace(/}$/, ',"z":0}'))).toEqual(tooMany);
  });

  test('is checked before the body is parsed', () => {
    const spy = jest.spyOn(JSON, 'parse');
    expect(parse(`{"a":[${'{},'.repeat(MAX_VALUES)}{}]}`).ok).toBe(false);
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  });

  test('counts each value of any JSON once', () => {
    const count = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, inner) => sum + count(inner), 1)
        : 1;
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        expect(scanJson(JSON.stringify(value, null, indent), 1e9).values).toBe(count(value));
      }),
      seeded,
    );
  });
});
