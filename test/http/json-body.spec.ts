import fc from 'fast-check';
import { scanJson } from '../../src/http/json-scan.js';
import { MAX_NESTING, MAX_VALUES, parseJsonObject } from '../../src/http/json-body.js';

const seeded = { seed: 256, numRuns: 400 };
const parse = (text: string) => parseJsonObject(Buffer.from(text, 'utf8'));
const refused = (message: string, field?: string) => ({
  ok: false,
  message,
  ...(field === undefined ? {} : { field }),
});

/** `levels` containers, one inside the other, the body's own object being the first. */
const nested = (levels: number, open = '[', close = ']') =>
  `{"deep":${open.repeat(levels - 1)}${open === '[' ? '' : '1'}${close.repeat(levels - 1)}}`;

describe('what is a body', () => {
  test('an object, as JSON.parse reads it', () => {
    const text =
      '{"phoneNumber":"+1","n":-1.5e3,"t":true,"z":null,"a":[1,{"b":"ü😀"}],"":0,"constructor":"x"}';
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
    expect(parse('{}')).toEqual({ ok: true, value: {} });
  });

  test('a byte order mark and white space around it are no part of it', () => {
    expect(parse('\uFEFF {"a":1}\r\n')).toEqual({ ok: true, value: { a: 1 } });
  });

  test('of a key sent twice the last value counts', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ ok: true, value: { a: 2 } });
  });

  test.each(['', ' \n', '\uFEFF'])('not nothing: %j', (text) => {
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
  ])('not %j, and the message does not quote it', (text) => {
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

describe('what cannot be stored', () => {
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

  test('escapes that are harmless pass', () => {
    expect(parse('{"a":"\\u00fc \\ud83d\\ude00 \\\\u0000"}')).toEqual({
      ok: true,
      value: { a: 'ü 😀 \\u0000' },
    });
  });

  test.each([
    ...['1e999', '-1e999', '9'.repeat(400), '9007199254740993', '-9007199254740993', '9007199254740994'],
    ...[
      '18446744073709551615',
      '1e-400',
      '0.1234567890123456789',
      '1.00000000000000001',
      '123456789012345678e-3',
    ],
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

  test('every fault is named, up to twenty', () => {
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

  test('a key that is itself unfit for a message is not repeated', () => {
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
  test('up to the bound, and not beyond', () => {
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

  test.each([20_000, 100_000, 1_000_000])('%d levels neither crash nor hang', (levels) => {
    const started = performance.now();
    expect(parse(nested(levels)).ok).toBe(false);
    expect(parse(nested(levels, '{"k":', '}')).ok).toBe(false);
    expect(parse('['.repeat(levels)).ok).toBe(false);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('a parser that gives up is not an error of ours', () => {
    const spy = jest.spyOn(JSON, 'parse').mockImplementationOnce(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    expect(parse('{}')).toEqual(refused('The body is nested more than 32 levels deep'));
    spy.mockRestore();
  });

  test('many shallow containers are fine', () => {
    expect(parse(`{"a":[${'[],'.repeat(MAX_VALUES - 3)}{}]}`).ok).toBe(true);
  });
});

describe('how many values', () => {
  const tooMany = refused(`The body must have at most 10 JSON values`);
  const parseTen = (text: string) => parseJsonObject(Buffer.from(text), { maxValues: 10 });

  test.each([
    '{"a":[1,-2.5e3,"x",true,false,null,{},[]]}',
    '{"a":1,"b":{"c":"d:{[","e\\"":[1,2,[3]]},"":{}}',
  ])('ten are fine, eleven are not: %s', (text) => {
    expect(parseTen(text).ok).toBe(true);
    expect(parseTen(text.replace(/}$/, ',"z":0}'))).toEqual(tooMany);
  });

  test('too many are refused before they are parsed', () => {
    const spy = jest.spyOn(JSON, 'parse');
    expect(parse(`{"a":[${'{},'.repeat(MAX_VALUES)}{}]}`).ok).toBe(false);
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  });

  test('every value of any JSON is counted once', () => {
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

describe('numbers', () => {
  test.each([
    ...['0', '-0', '0.0', '0e999', '1.50', '0.1', '-1.5E+3', '9007199254740991', '-9007199254740992', '1e21'],
    ...['1e300', '5e-324', '1.7976931348623157e308', '0.30000000000000004', '1763800000000.000', '100000e-5'],
  ])('%s is kept', (number) => {
    expect(parse(`{"a":${number}}`)).toEqual({ ok: true, value: { a: Number(number) } });
  });

  const digits = (min: number, max: number) =>
    fc.array(fc.constantFrom(...'0123456789'), { minLength: min, maxLength: max }).map((all) => all.join(''));
  const literal = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits(1, 25).map((text) => text.replace(/^0+(?=\d)/, '')),
      fc.option(digits(1, 25), { nil: null }),
      fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits(1, 3)), { nil: null }),
    )
    .map(([sign, whole, fraction, exponent]) =>
      [sign, whole, fraction === null ? '' : `.${fraction}`, exponent === null ? '' : exponent.join('')].join(
        '',
      ),
    );

  /** numerator and power of ten, so that two spellings of a number can be compared without rounding. */
  const exactly = (text: string) => {
    const [, sign, whole = '', fraction = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
    return { numerator: BigInt(`${sign}${whole}${fraction}`), power: Number(exponent) - fraction.length };
  };
  const areEqual = (one: string, other: string) => {
    const [a, b] = [exactly(one), exactly(other)];
    if (a.numerator === 0n || b.numerator === 0n) return a.numerator === b.numerator;
    const low = Math.min(a.power, b.power);
    return a.numerator * 10n ** BigInt(a.power - low) === b.numerator * 10n ** BigInt(b.power - low);
  };

  test('whatever is written comes back as the same number, or is refused', () => {
    let kept = 0;
    fc.assert(
      fc.property(literal, (number) => {
        const result = parse(`{"a":[${number}]}`);
        if (!result.ok) {
          expect(result).toMatchObject({ field: 'a' });
          return;
        }
        kept += 1;
        expect([number, areEqual(number, JSON.stringify((result.value.a as number[])[0]))]).toEqual([
          number,
          true,
        ]);
      }),
      { ...seeded, numRuns: 3_000 },
    );
    expect(kept).toBeGreaterThan(100);
  });

  test('a double that JSON.stringify wrote is kept, but for integers beyond 2^53', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = JSON.stringify(number);
        const beyond = Math.abs(number) > 2 ** 53 && /^-?\d+$/.test(text);
        expect(parse(`{"a":${text}}`).ok).toBe(!beyond);
      }),
      { ...seeded, numRuns: 3_000 },
    );
  });
});

describe('properties', () => {
  const storable = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((s) => !s.includes('\0'));
  const key = storable.filter((s) => s !== '__proto__');
  const leaf = fc.oneof(
    storable,
    fc.boolean(),
    fc.constant(null),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((n) => n + 0)
      .filter((n) => Number.isSafeInteger(n) || !/^-?\d+$/.test(String(n))),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  const body = fc.dictionary(key, value, { maxKeys: 6 });

  /** All non-ASCII as \u escapes, which takes the path on which strings are looked at. */
  const escaped = (text: string) =>
    text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

  test('a clean object comes back, however it is written', () => {
    fc.assert(
      fc.property(body, (clean) => {
        const text = JSON.stringify(clean);
        const expected = { ok: true, value: JSON.parse(text) as unknown };
        expect(parse(text)).toEqual(expected);
        expect(parse(escaped(text))).toEqual(expected);
      }),
      seeded,
    );
  });

  test('one banned thing, at any depth, is refused and its field is named', () => {
    const banned = fc.constantFrom(
      '"\\u0000"',
      '"x\\ud800y"',
      '"\\udc00"',
      '1e999',
      '-1e400',
      '{"__proto__":1}',
      '{"\\u0000":1}',
      '{"a\\ud800":1}',
      '['.repeat(32) + ']'.repeat(32),
    );
    const way = fc.array(fc.oneof(fc.nat(3), key), { maxLength: 20 });
    fc.assert(
      fc.property(body, banned, way, fc.string({ maxLength: 5 }), (clean, bad, path, field) => {
        fc.pre(field !== '__proto__' && !Object.hasOwn(clean, field));
        const planted = path.reduceRight<string>(
          (inner, step) =>
            typeof step === 'number'
              ? `[${'0,'.repeat(step)}${inner}]`
              : `{"before":[],${JSON.stringify(step)}:${inner}}`,
          bad,
        );
        const rest = JSON.stringify(clean).slice(1, -1);
        const result = parse(`{${rest === '' ? '' : `${rest},`}${JSON.stringify(field)}:${planted}}`);
        expect(result).toMatchObject({ ok: false, field });
      }),
      seeded,
    );
  });

  test('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          parseJsonObject(Buffer.from(bytes));
        },
      ),
      seeded,
    );
  });
});
