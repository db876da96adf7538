/** Says whether a value is what was expected, and in words what that is. */
export class Matcher {
  constructor(
    readonly description: string,
    readonly problems: (actual: unknown, path: string) => string[],
  ) {}
}

/**
 * What an answer shall be: objects have exactly these keys, texts may be patterns, and matchers decide
 * themselves.
 */
export type Expected =
  | string
  | number
  | boolean
  | null
  | RegExp
  | Matcher
  | readonly Expected[]
  | { readonly [key: string]: Expected };

/** Every place where `actual` is not as expected; empty when it is. */
export function mismatches(expected: Expected, actual: unknown, path = ''): string[] {
  if (expected instanceof Matcher) return expected.problems(actual, path);
  if (expected instanceof RegExp) {
    return typeof actual === 'string' && expected.test(actual)
      ? []
      : [differs(path, `a text like ${expected}`, actual)];
  }
  if (isList(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      return [differs(path, `a list of ${expected.length}`, actual)];
    }
    return expected.flatMap((item, index) => mismatches(item, actual[index], `${path}[${index}]`));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (!isRecord(actual)) return [differs(path, 'an object', actual)];
    const strangers = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
    return [
      ...fieldMismatches(expected, actual, path),
      ...strangers.map((key) => differs(join(path, key), 'nothing', actual[key])),
    ];
  }
  return Object.is(expected, actual) ? [] : [differs(path, JSON.stringify(expected), actual)];
}

/** An object that has at least these fields. */
export function including(fields: { readonly [key: string]: Expected }): Matcher {
  return new Matcher('an object with certain fields', (actual, path) =>
    isRecord(actual) ? fieldMismatches(fields, actual, path) : [differs(path, 'an object', actual)],
  );
}

/** Any of several values. */
export function oneOf(...values: string[]): Matcher {
  const description = `one of ${values.join(', ')}`;
  return passing(description, (actual) => typeof actual === 'string' && values.includes(actual));
}

export const UUID = passing(
  'a UUID',
  (actual) => typeof actual === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(actual),
);

export const INSTANT = passing(
  'an instant in UTC',
  (actual) => typeof actual === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(actual),
);

function passing(description: string, test: (actual: unknown) => boolean): Matcher {
  return new Matcher(description, (actual, path) =>
    test(actual) ? [] : [differs(path, description, actual)],
  );
}

function fieldMismatches(
  expected: { readonly [key: string]: Expected },
  actual: Record<string, unknown>,
  path: string,
): string[] {
  return Object.entries(expected).flatMap(([key, value]) => mismatches(value, actual[key], join(path, key)));
}

function differs(path: string, expected: string, actual: unknown): string {
  return `${path || 'it'}: expected ${expected}, got ${JSON.stringify(actual) ?? 'nothing'}`;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function isList(expected: Expected): expected is readonly Expected[] {
  return Array.isArray(expected);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
