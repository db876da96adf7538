import 'reflect-metadata';
import fc from 'fast-check';
import { IsBoolean, IsOptional } from 'class-validator';
import { expectEqual, expectSame } from '../support/compare.js';
import { validateBody } from '../../src/http/validation.js';
import {
  IsEmailAddress,
  IsJsonObject,
  IsText,
  IsTimeZone,
  IsUuid,
  MAX_EMAIL,
  MAX_NAME,
  isUuid,
} from '../../src/http/validators.js';

/** Has only Outdial's own rules, so that it is checked without class-validator. */
class Own {
  @IsText(64) phoneNumber!: string;
  @IsOptional() @IsText(MAX_NAME) name?: string;
  @IsOptional() @IsEmailAddress() email?: string;
  @IsOptional() @IsText(2048) companyWebsite?: string;
  @IsOptional() @IsTimeZone() timezone?: string;
  @IsOptional() @IsUuid() numberPoolId?: string;
  @IsOptional() @IsJsonObject() definition?: Record<string, unknown>;
}
class Call extends Own {
  @IsOptional() @IsBoolean() active?: boolean;
}
class Declared extends Call {
  @IsText(10) source!: string;
}

const json = (text: string) => JSON.parse(text) as Record<string, unknown>;
const valid = { phoneNumber: '+14155552671' };
const refused = (field: string, predicate: string) => ({
  ok: false,
  message: `${field} ${predicate}`,
  problems: [{ path: field, message: `${field} ${predicate}` }],
});

describe('validateBody', () => {
  test('returns the declared fields only', () => {
    const result = validateBody(Call, { ...valid, name: 'Ada', loan: 1, nickname: 'A' });
    expect(result).toEqual({ ok: true, value: { phoneNumber: '+14155552671', name: 'Ada' } });
    if (!result.ok) return;
    expect(result.value).toBeInstanceOf(Call);
    expect(Object.keys(result.value)).not.toContain('loan');
  });

  test('includes inherited declared fields', () => {
    expect(validateBody(Declared, { ...valid, source: 'crm' })).toMatchObject({
      ok: true,
      value: { source: 'crm' },
    });
    expect(validateBody(Declared, valid)).toEqual(refused('source', 'is required'));
  });

  test('treats null as not sent, unless the field can be cleared', () => {
    const body = { ...valid, name: null, email: null };
    expect(validateBody(Call, body)).toEqual({ ok: true, value: { ...valid } });
    expect(validateBody(Call, body, { nulls: 'keep' })).toEqual({
      ok: true,
      value: { ...valid, name: null, email: null },
    });
    expect(validateBody(Call, { phoneNumber: null }, { nulls: 'keep' })).toEqual(
      refused('phoneNumber', 'must be a string'),
    );
  });

  test.each([
    [{}, 'phoneNumber', 'is required'],
    [{ phoneNumber: null }, 'phoneNumber', 'is required'],
    [{ phoneNumber: undefined }, 'phoneNumber', 'is required'],
    [{ phoneNumber: 14155552671 }, 'phoneNumber', 'must be a string'],
    [{ phoneNumber: ['+14155552671'] }, 'phoneNumber', 'must be a string'],
    [{ phoneNumber: { length: 3 } }, 'phoneNumber', 'must be a string'],
    [{ phoneNumber: 'x'.repeat(65) }, 'phoneNumber', 'must be at most 64 characters'],
    [{ ...valid, name: false }, 'name', 'must be a string'],
    [{ ...valid, name: 'x'.repeat(201) }, 'name', 'must be at most 200 characters'],
    [{ ...valid, email: 'ada@' }, 'email', 'must be an email address'],
    [{ ...valid, email: 'ada lovelace@example.com' }, 'email', 'must be an email address'],
    [{ ...valid, email: `${'a'.repeat(MAX_EMAIL)}@example.com` }, 'email', 'must be at most 254 characters'],
    [{ ...valid, email: 7 }, 'email', 'must be a string'],
    [{ ...valid, companyWebsite: 'x'.repeat(2049) }, 'companyWebsite', 'must be at most 2048 characters'],
    [
      { ...valid, timezone: 'Mars/Olympus' },
      'timezone',
      'must be an IANA time zone name, such as Europe/Berlin',
    ],
    [{ ...valid, timezone: 2 }, 'timezone', 'must be a string'],
    [{ ...valid, numberPoolId: 'pool-1' }, 'numberPoolId', 'must be a UUID'],
    [{ ...valid, numberPoolId: {} }, 'numberPoolId', 'must be a string'],
    [{ ...valid, definition: [] }, 'definition', 'must be an object'],
    [{ ...valid, definition: 'x' }, 'definition', 'must be an object'],
    [{ ...valid, active: 'true' }, 'active', 'must be a boolean value'],
  ])('%j', (body, field, predicate) => {
    expect(validateBody(Call, body)).toEqual(refused(field, predicate));
  });

  test('returns objects unchanged', () => {
    const definition = json('{"constructor":"Acme Builders","then":"call","steps":[{"constructor":1}]}');
    const result = validateBody(Call, { ...valid, definition });
    expect(result.ok && result.value.definition).toBe(definition);
  });

  test('ignores keys that every object inherits, and names of classes', () => {
    const hostile = json(
      '{"phoneNumber":"+1","__proto__":{"name":"Eve"},"constructor":{"prototype":{"name":"Eve"}}}',
    );
    expect(validateBody(Call, hostile)).toEqual({ ok: true, value: { phoneNumber: '+1' } });
    expect(validateBody(Call, json('{"phoneNumber":{"constructor":1}}'))).toEqual(
      refused('phoneNumber', 'must be a string'),
    );
    expect(validateBody(Call, Object.create(valid) as Record<string, unknown>)).toEqual(
      refused('phoneNumber', 'is required'),
    );
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  test('throws for a class that declares no field', () => {
    class Nothing {}
    expect(() => validateBody(Nothing, {})).toThrow('Nothing declares no validated fields');
  });

  describe('for any JSON', () => {
    const named = fc.constantFrom('constructor', '__proto__', 'then', 'length', 'toString', 'a');
    const key = fc.oneof({ weight: 5, arbitrary: named }, fc.string({ maxLength: 5 }));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { noNullPrototype: true }),
      ),
    }));
    const fields = [
      'phoneNumber',
      'name',
      'email',
      'timezone',
      'numberPoolId',
      'definition',
      'active',
      'constructor',
    ];
    const body = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 4, noNullPrototype: true });

    test('never throws', () => {
      fc.assert(
        fc.property(body, (sent) => {
          const result = validateBody(Call, { ...sent });
          const phoneNumber = Object.hasOwn(sent, 'phoneNumber') ? sent.phoneNumber : undefined;
          if (result.ok) expectSame(result.value.phoneNumber, phoneNumber);
          else expect(fields).toContain(result.problems[0]?.path);
        }),
        { seed: 41, numRuns: 500 },
      );
    });

    test('says what class-validator says', () => {
      const told = (cls: new () => object, sent: object, nulls: 'absent' | 'keep') => {
        const result = validateBody(cls, { phoneNumber: '+1', ...sent }, { nulls });
        return result.ok ? { ...result.value } : result;
      };
      fc.assert(
        fc.property(body, ({ active, ...sent }) => {
          void active;
          for (const nulls of ['absent', 'keep'] as const)
            expectEqual(told(Own, sent, nulls), told(Call, sent, nulls));
        }),
        { seed: 42, numRuns: 500 },
      );
    });
  });
});

describe('formats', () => {
  const withEmail = (email: string) => validateBody(Call, { ...valid, email }).ok;
  const longestDomain = [60, 60, 60].map((n) => 'd'.repeat(n)).join('.');

  test.each([
    'ada@example.com',
    'ada+crm@mail.example.co.uk',
    "o'brien@example.com",
    `a@${longestDomain}.com`,
  ])('e-mail %s', (email) => {
    expect(withEmail(email)).toBe(true);
  });

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@example',
    'a@b@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\n',
  ])('no e-mail: %j', (email) => {
    expect(withEmail(email)).toBe(false);
  });

  test('accepts the time zones of this process', () => {
    for (const timezone of ['America/New_York', 'UTC', 'Asia/Calcutta', 'Europe/Kyiv']) {
      expect(validateBody(Call, { ...valid, timezone }).ok).toBe(true);
    }
    for (const timezone of ['', 'New York', '__proto__', 'x'.repeat(10_000)]) {
      expect(validateBody(Call, { ...valid, timezone }).ok).toBe(false);
    }
  });

  test.each([
    '0190a5b8-7b1c-7d3e-8f4a-1234567890ab',
    '0190A5B8-7B1C-4D3E-8F4A-1234567890AB',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('UUID %s, in lower case', (numberPoolId) => {
    expect(isUuid(numberPoolId)).toBe(true);
    for (const cls of [Own, Call]) {
      expect(validateBody(cls, { ...valid, numberPoolId })).toMatchObject({
        value: { numberPoolId: numberPoolId.toLowerCase() },
      });
    }
  });

  test.each([
    '0190a5b87b1c7d3e8f4a1234567890ab',
    '{0190a5b8-7b1c-7d3e-8f4a-1234567890ab}',
    '0190a5b8-7b1c-7d3e-8f4a-1234567890ag',
    '0190a5b8-7b1c-7d3e-8f4a-1234567890ab\n',
    ' 0190a5b8-7b1c-7d3e-8f4a-1234567890ab',
    '',
  ])('no UUID: %j', (numberPoolId) => {
    expect(isUuid(numberPoolId)).toBe(false);
    expect(validateBody(Call, { ...valid, numberPoolId })).toEqual(refused('numberPoolId', 'must be a UUID'));
  });
});
