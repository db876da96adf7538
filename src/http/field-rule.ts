import 'reflect-metadata';
import { Transform } from 'class-transformer';
import { registerDecorator } from 'class-validator';
import { type JsonSchema } from './json-schema.js';

const FIELD_SCHEMA = 'outdial:field-schema';
const FIELD_RULES = 'outdial:field-rules';

/**
 * Returns the predicate (`must be …`) or a sentence that begins with the field's name, or null for a valid
 * value.
 */
export type FieldFault = (value: unknown) => string | null;

/** The rule of a field, for a check without class-validator. */
export interface FieldRule {
  /** The name by which class-validator knows the rule. */
  name: string;
  fault: FieldFault;
  /** Converts a string, number or boolean before it is checked; undefined: the value stays as it is. */
  read: ((value: unknown) => unknown) | undefined;
}

/**
 * A rule with its own message. A field should have only one rule. With several rules, the order of the
 * decorators would decide which message is sent.
 *
 * @param schema the same rule for the API's document; if JSON Schema cannot express all of it, the schema
 *   allows more. @param read converts a string, number or boolean before it is checked; by default the value
 *   stays as it is.
 */
export function fieldRule(
  name: string,
  fault: FieldFault,
  schema: JsonSchema,
  read?: (value: unknown) => unknown,
): PropertyDecorator {
  return (target, property) => {
    Reflect.defineMetadata(FIELD_SCHEMA, schema, target, property);
    const rules = fieldRulesOf(target, String(property));
    Reflect.defineMetadata(FIELD_RULES, [...rules, { name, fault, read }], target, property);
    if (read !== undefined) Transform(({ value }: { value: unknown }) => read(value))(target, property);
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => fault(value) === null,
        defaultMessage: (args) => faultMessage(fault(args?.value) ?? '', args?.property ?? ''),
      },
    });
  };
}

export function faultMessage(fault: string, field: string): string {
  return fault.startsWith(field) ? fault : `${field} ${fault}`;
}

/** The rules of a field, inherited ones included. @param prototype of its class. */
export function fieldRulesOf(prototype: object, field: string): readonly FieldRule[] {
  return (Reflect.getMetadata(FIELD_RULES, prototype, field) ?? []) as FieldRule[];
}

/** The schema of the field's rule, also of an inherited rule. */
export function fieldSchemaOf(cls: new () => object, field: string): JsonSchema | undefined {
  return Reflect.getMetadata(FIELD_SCHEMA, cls.prototype as object, field) as JsonSchema | undefined;
}
