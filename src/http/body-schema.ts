import { getMetadataStorage, IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { fieldSchemaOf } from './field-rule.js';
import { type JsonSchema, nullable, orEmpty } from './json-schema.js';

/**
 * The description of a field, with optional `examples`. Defaults are part of the text: from a schema's
 * `default`, generated clients conclude that the field must be sent.
 */
export type FieldDoc = string | { description: string; examples?: readonly unknown[] };

const descriptions = new WeakMap<new () => object, Record<string, FieldDoc>>();

/** Describes the fields of a body; with several classes, the fields that they share. */
export function describeBody<T extends object>(
  classes: (new () => T)[],
  docs: Record<keyof T & string, FieldDoc>,
): void {
  for (const cls of classes) descriptions.set(cls, docs);
}

/** The description of the field `teamId` of a body. */
export const OWN_TEAM = 'Optional. If it is sent, it must be the team of the API key.';

/** For the description of a phone number. */
export const NATIONAL_FORM = 'National form is accepted only if the team has a default country.';

/** For the description of a body that `splitFields` reads. */
export const EMPTY_IS_ABSENT =
  'In the optional fields that the schema of the body names, null, the empty string and white space count as not sent.';

/**
 * The schema of a body that is checked against `cls`, from the rules that check it.
 *
 * @param emptyIsAbsent whether the empty string counts as not sent, as null does.
 * @throws Error when a field has no schema or no description, which is a fault in the code.
 */
export function bodySchemaOf(
  cls: new () => object,
  { emptyIsAbsent = false } = {},
): JsonSchema & { properties: Record<string, JsonSchema> } {
  const rules = getMetadataStorage().getTargetValidationMetadatas(cls, '', false, false);
  const docs = descriptions.get(cls);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of new Set(rules.map((rule) => rule.propertyName))) {
    const schema = fieldSchemaOf(cls, field);
    const doc = docs?.[field];
    if (schema === undefined || doc === undefined)
      throw new Error(`${cls.name}.${field} has no ${schema ? 'description' : 'schema'}`);
    const conditions = rules.filter(
      (rule) => rule.propertyName === field && rule.type === ValidationTypes.CONDITIONAL_VALIDATION,
    );
    const mayBeNull = conditions.some((rule) => rule.name === IS_OPTIONAL);
    const orNull = mayBeNull ? nullable(schema) : schema;
    properties[field] = {
      ...(mayBeNull && emptyIsAbsent ? orEmpty(orNull) : orNull),
      ...(typeof doc === 'string' ? { description: doc } : doc),
    };
    if (conditions.length === 0) required.push(field);
  }
  return { title: cls.name, type: 'object', properties, ...(required.length > 0 && { required }) };
}
