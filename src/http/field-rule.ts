import { registerDecorator } from 'class-validator';

/**
 * A rule that says itself what is wrong with a field: `fault` gives the predicate (`must be …`) or a
 * sentence that begins with the field's name, or null when all is well. With several rules on a field the order of decorators would choose the message.
 */
export function fieldRule(name: string, fault: (value: unknown) => string | null): PropertyDecorator {
  return (target, property) => {
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
