import 'reflect-metadata';
import { registerDecorator } from 'class-validator';
import { type JsonSchema } from './json-schema.js';

const FIELD_SCHEMA = 'outdial:field-schema';

/**
 * A rule with its own message: `fault` returns the predicate (`must be …`) or a
 * sentence that begins with the field's name, or null for a valid value. With several rules on a field, the order of decorators would choose the message.
 *
 * @param schema the same rule for the API's document; if JSON Schema cannot express all of it, the schema allows more.
 */
export function fieldRule(
  name: string,
  fault: (value: unknown) => string | null,
  schema: JsonSchema,
): PropertyDecorator {
  return (target, property) => {
    Reflect.defineMetadata(FIELD_SCHEMA, schema, target, property);
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => fault(value) === null,
        defaultMessage: (args) => {
          const message = fault(args?.value) ?? '';
          const field = args?.property ?? '';
          return message.startsWith(field) ? message : `${field} ${message}`;
        },
      },
    });
  };
}

/** The schema of the field's rule, inherited ones included. */
export function fieldSchemaOf(cls: new () => object, field: string): JsonSchema | undefined {
  return Reflect.getMetadata(FIELD_SCHEMA, cls.prototype as object, field) as JsonSchema | undefined;
}
