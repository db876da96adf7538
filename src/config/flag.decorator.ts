import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/**
 * A variable that holds `true` or `false`, with exactly these letters. Other texts, such as `0` or `off`, are
 * refused.
 */
export function Flag(): PropertyDecorator {
  const read = Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
  const check = ValidateBy({
    name: 'flag',
    validator: {
      validate: (value: unknown) => typeof value === 'boolean',
      defaultMessage: () => 'must be true or false',
    },
  });
  return (target, property) => {
    read(target, property);
    check(target, property);
  };
}
