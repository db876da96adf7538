import fc from 'fast-check';
import { parseJsonObject } from '../../src/http/json-body.js';
import { expectEqual, expectSame } from '../support/compare.js';

const seeded = { seed: 256, numRuns: 400 };
const parse = (text: string) => parseJsonObject(Buffer.from(text, 'utf8'));

describe('numbers', () => {
  test.each([
    '0',
    '-0',
    '0.0',
    '0e999',
    '1.50',
    '0.1',
    '-1.5E+3',
    '9007199254740991',
    '-9007199254740992',
    '1e21',
    '1e300',
    '5e-324',
    '1.7976931348623157e308',
    '0.30000000000000004',
    '1763800000000.000',
    '100000e-5',
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

  test('any number is stored unchanged, or refused', () => {
    let kept = 0;
    fc.assert(
      fc.property(literal, (number) => {
        const result = parse(`{"a":[${number}]}`);
        if (!result.ok) {
          expectSame(result.field, 'a');
          return;
        }
        kept += 1;
        expectEqual(
          [number, areEqual(number, JSON.stringify((result.value.a as number[])[0]))],
          [number, true],
        );
      }),
      { ...seeded, numRuns: 3_000 },
    );
    expect(kept).toBeGreaterThan(100);
  });

  test('a double from JSON.stringify is stored unchanged, except integers beyond 2^53', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = JSON.stringify(number);
        const beyond = Math.abs(number) > 2 ** 53 && /^-?\d+$/.test(text);
        expectSame(parse(`{"a":${text}}`).ok, !beyond);
      }),
      { ...seeded, numRuns: 3_000 },
    );
  });
});

describe('random values', () => {
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

  test('a valid object is unchanged by parsing', () => {
    fc.assert(
      fc.property(body, (clean) => {
        const text = JSON.stringify(clean);
        const expected = { ok: true, value: JSON.parse(text) as unknown };
        expectEqual(parse(text), expected);
        expectEqual(parse(escaped(text)), expected);
      }),
      seeded,
    );
  });

  test('one forbidden value at any depth is refused, and its field is named', () => {
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

  test('never throws for any bytes', () => {
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
