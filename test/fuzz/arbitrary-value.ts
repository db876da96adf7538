import fc from 'fast-check';
import { type JsonSchema } from '../../src/http/json-schema.js';
import { anyPhoneNumber, id, IDS } from './hostile.js';

/** The document's components, and whether values shall be such that a request with them succeeds. */
export interface Values {
  schemas: Record<string, JsonSchema>;
  tame: boolean;
}

const UNUSED_NUMBER = fc
  .integer({ min: 0, max: 999 })
  .map((last) => `+1415600${String(last).padStart(4, '0')}`);
const TAME_NUMBERS: Record<string, fc.Arbitrary<unknown>> = {
  phoneNumber: UNUSED_NUMBER,
  phoneNumbers: fc.constant(['<own.used>']),
  fromPhoneNumber: fc.constant('<own.used>'),
  outboundPhoneNumber: fc.constant('<own.used>'),
};
const OTHER_NAMES: Record<string, string> = {
  numberPoolId: 'poolId',
  versionId: 'draftVersionId',
  fromVersionId: 'draftVersionId',
  callRequestId: 'completedCallId',
};

/** Values that the schema allows, by the field's name where that says more. */
export function validValue(name: string, given: JsonSchema, values: Values): fc.Arbitrary<unknown> {
  const { schemas, tame } = values;
  const schema = resolve(given, schemas);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => validValue(name, part, values)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const planted = OTHER_NAMES[name] ?? name;
  const isPlanted = (IDS as readonly string[]).includes(planted);
  if (isPlanted || schema.format === 'uuid') {
    const own = isPlanted ? planted : 'pendingCallId';
    return tame ? fc.constant(`<own.${own}>`) : id(own);
  }
  if (/phoneNumbers?$/i.test(name)) {
    if (tame) return TAME_NUMBERS[name] ?? UNUSED_NUMBER;
    return name.endsWith('s') ? fc.array(anyPhoneNumber, { maxLength: 5 }) : anyPhoneNumber;
  }
  if (/timezone/i.test(name)) return fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu');
  if (/email/.test(name)) return fc.constantFrom('ada@example.com', 'a.b+c@sub.example.org');
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return fc.oneof(...types.map((type) => ofType(type, schema, values)));
}

function ofType(type: unknown, schema: JsonSchema, values: Values): fc.Arbitrary<unknown> {
  const likely = fc.constantFrom(...(schema.examples ?? ['Ada']));
  switch (type) {
    case 'string':
      return values.tame ? likely : fc.oneof(likely, fc.string({ maxLength: 20 }));
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.ceil(schema.minimum ?? 0), max: schema.maximum ?? 1_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(validValue('', schema.items ?? {}, values), { maxLength: 4 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, property]) => [
            key,
            validValue(key, property, values),
          ]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

export function resolve(schema: JsonSchema, schemas: Values['schemas']): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}
