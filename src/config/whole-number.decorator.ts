import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/**
 * A variable that holds a whole number from `min` to `max`, in digits only: `Number` would also accept
 * `0x10`, `1e3`, and blanks as 0.
 */
export function WholeNumber(min: number, max: number): PropertyDecorator {
  const read = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  );
  const check = ValidateBy({
    name: 'wholeNumber',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
      defaultMessage: () => `must be a whole number from ${min} to ${max}`,
    },
  });
  return (target, property) => {
    read(target, property);
    check(target, property);
  };
}
