import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidatorOptions } from 'class-validator';
import { type Faulty, faulty, problemOf } from './app-error.js';

/** A body's declared fields as an instance of their class, or what is wrong with them. */
export type ValidatedBody<T> = { ok: true; value: T } | Required<Faulty>;

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
  if (errors.length === 0) return { ok: true, value };

  const problems = errors.map(({ property: field, constraints = {} }) => {
    const isSent = Object.hasOwn(scalars, field) || Object.hasOwn(containers, field);
    const [fault = `${field} is not valid`] = Object.values(constraints);
    if (!isSent) return problemOf(`${field} is required`, field);
    // A message can name a part of the field, such as `allowedCountries[1]`.
    const { path } = problemOf(fault);
    return problemOf(fault, path === '' ? field : path);
  });
  return faulty(problems);
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
