import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidatorOptions } from 'class-validator';
import { joinFaults } from './app-error.js';

/** A body's declared fields as an instance of their class, or its faults; `field` is the first bad top-level key. */
export type ValidatedBody<T> = { ok: true; value: T } | { ok: false; field: string; message: string };

/** `nulls: 'keep'` is for updates, where null clears a setting; elsewhere null counts as not sent. */
export type ValidateBodyOptions = { nulls?: 'absent' | 'keep' };

const OPTIONS: ValidatorOptions = {
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
};

const declaredKeys = new WeakMap<new () => object, readonly string[]>();

/**
 * Checks the fields of a parsed JSON object that `cls` declares with a class-validator decorator, and ignores all others.
 * `@Transform` is applied to strings, numbers and booleans before the checks. Objects and arrays are passed on unchanged;
 * a nested class needs a call of its own. The message names every bad field
 * (`phoneNumber is required; email must be an email address`) and never repeats a value.
 * Throws only if `cls` declares nothing.
 */
export function validateBody<T extends object>(
  cls: new () => T,
  fields: Record<string, unknown>,
  options: ValidateBodyOptions = {},
): ValidatedBody<T> {
  const scalars: Record<string, unknown> = {};
  // class-transformer throws for a value with a key `constructor`, so containers are kept from it.
  const containers: Record<string, unknown> = {};
  for (const key of declaredFields(cls)) {
    // An inherited property was not sent.
    if (!Object.hasOwn(fields, key)) continue;
    const value = fields[key];
    if (value === undefined || (value === null && options.nulls !== 'keep')) continue;
    (typeof value === 'object' && value !== null ? containers : scalars)[key] = value;
  }
  const value = Object.assign(plainToInstance(cls, scalars), containers);
  const errors = validateSync(value, OPTIONS);
  const [first] = errors;
  if (first === undefined) return { ok: true, value };

  const messages = errors.map(({ property: field, constraints = {} }) => {
    if (!Object.hasOwn(scalars, field) && !Object.hasOwn(containers, field)) return `${field} is required`;
    const [fault] = Object.values(constraints);
    return fault ?? `${field} is not valid`;
  });
  return { ok: false, field: first.property, message: joinFaults(...messages) };
}

/** The fields that `cls` declares, in their order. @throws Error if there are none. */
export function declaredFields(cls: new () => object): readonly string[] {
  let keys = declaredKeys.get(cls);
  if (keys === undefined) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(cls, '', false, false);
    keys = [...new Set(rules.map((rule) => rule.propertyName))];
    if (keys.length === 0) throw new Error(`${cls.name} declares no validated fields`);
    declaredKeys.set(cls, keys);
  }
  return keys;
}
