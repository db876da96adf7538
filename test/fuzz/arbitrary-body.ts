import fc from 'fast-check';
import { type JsonSchema } from '../../src/http/json-schema.js';
import { validValue, type Values } from './arbitrary-value.js';
import { mostly } from './choices.js';
import { type FuzzRequest, type Packing } from './fuzz-request.js';
import { jsonKey, jsonText } from './hostile.js';
import { anyText } from '../support/text.js';

/** A body that is well-formed, and as far as its schema tells, good. */
export function tameBody(schema: JsonSchema, schemas: Values['schemas']): fc.Arbitrary<FuzzRequest['body']> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, property]) => {
    const value = validValue(name, property, { schemas, tame: true });
    return required.includes(name)
      ? value.map((known) => [name, known])
      : fc.option(value.map((known) => [name, known]));
  });
  const more =
    additionalProperties === false
      ? fc.constant({})
      : fc.dictionary(fc.constantFrom('plan', 'order'), fc.jsonValue({ maxDepth: 2 }));
  return fc.tuple(fc.tuple(...fields), more).map(([pairs, others]) => {
    const known = Object.fromEntries(pairs.filter((pair) => pair !== null)) as object;
    return { text: JSON.stringify({ ...others, ...known }), bytes: false, packing: 'plain' };
  });
}

/** A body of the schema's fields with others between, as text that need not be JSON. */
export function bodyOf(schema: JsonSchema, schemas: Values['schemas']): fc.Arbitrary<FuzzRequest['body']> {
  const fields = Object.entries(schema.properties ?? {});
  const known = fields.map(([name, property]) =>
    fc
      .option(jsonText(validValue(name, property, { schemas, tame: false })), {
        freq: schema.required?.includes(name) ? 20 : 1,
        nil: null,
      })
      .map((value) => (value === null ? null : `${JSON.stringify(name)}:${value}`)),
  );
  const other = fc
    .tuple(jsonKey, jsonText(fc.jsonValue({ maxDepth: 2 })))
    .map(([key, value]) => `${key}:${value}`);
  const object = fc
    .tuple(fc.tuple(...known), fc.oneof(fc.constant([]), fc.array(other, { maxLength: 3 })), fc.boolean())
    .map(([pairs, others, again]) => {
      const all = [...pairs, ...others].filter((pair) => pair !== null);
      return `{${[...all, ...(again ? all.slice(0, 1) : [])].join(',')}}`;
    });
  const body = fc.oneof(
    { weight: 10, arbitrary: object.map((value) => ({ text: value, bytes: false })) },
    { weight: 1, arbitrary: jsonText(fc.jsonValue()).map((value) => ({ text: value, bytes: false })) },
    {
      weight: 1,
      arbitrary: anyText({ maxLength: 60 }).map((value) => ({ text: value, bytes: true })),
    },
    {
      weight: 1,
      arbitrary: object.map((value) => ({ text: value.replace('"', '\xff\xc0\xaf"'), bytes: true })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(260_000, 700_000)
        .map((size) => ({ text: `{"x":"${'x'.repeat(size)}"}`, bytes: false })),
    },
  );
  const packing = mostly<Packing>(
    'plain',
    'gzip',
    'deflate',
    'br',
    'broken gzip',
    'cut gzip',
    'claimed gzip',
    'zip bomb',
  );
  return fc.tuple(body, packing).map(([value, how]) => ({ ...value, packing: how }));
}
