import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, IS_OPTIONAL, validateSync, type ValidatorOptions } from 'class-validator';
import { type Faulty, faulty, problemOf } from './app-error.js';
import { faultMessage, type FieldRule, fieldRulesOf } from './field-rule.js';

/** A body's declared fields as an instance of their class, or what is wrong with them. */
export type ValidatedBody<T> = { ok: true; value: T } | Required<Faulty>;

/** `nulls: 'keep'` is for updates, where null clears a setting; elsewhere null counts as not sent. */
export type ValidateBodyOptions = { nulls?: 'absent' | 'keep' };

const OPTIONS: ValidatorOptions = {
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
};

/** The check of a field that has one {@link FieldRule} and may be optional. */
interface OwnCheck {
  field: string;
  rule: FieldRule;
  isOptional: boolean;
}

/** `own`: the checks of all fields; null if one of the fields has no such check. */
interface Declared {
  fields: readonly string[];
  own: readonly OwnCheck[] | null;
}

/** Each bad field, with what is wrong with it. */
type Faults = (readonly [field: string, fault: string])[];

const declared = new WeakMap<new () => object, Declared>();

/**
 * Checks the fields of a parsed JSON object that `cls` declares with a class-validator decorator, and ignores
 * all other fields. A field's rule may convert strings, numbers and booleans. Objects and arrays are passed
 * on unchanged; a nested class needs a check of its own. The message names every bad field (`phoneNumber is
 * required; email must be an email address`) and never repeats a value. Throws only if `cls` declares
 * nothing.
 */
export function validateBody<T extends object>(
  cls: new () => T,
  fields: Record<string, unknown>,
  options: ValidateBodyOptions = {},
): ValidatedBody<T> {
  const scalars: Record<string, unknown> = {};
  // class-transformer throws for a value with a key `constructor`, so containers are kept from it.
  const containers: Record<string, unknown> = {};
  const { fields: keys, own } = declarationOf(cls);
  for (const key of keys) {
    // An inherited property was not sent.
    if (!Object.hasOwn(fields, key)) continue;
    const value = fields[key];
    if (value === undefined || (value === null && options.nulls !== 'keep')) continue;
    (typeof value === 'object' && value !== null ? containers : scalars)[key] = value;
  }
  const [value, faults] =
    own === null ? checkedByLibrary(cls, scalars, containers) : checked(cls, own, scalars, containers);
  if (faults.length === 0) return { ok: true, value };

  const problems = faults.map(([field, fault]) => {
    const isSent = Object.hasOwn(scalars, field) || Object.hasOwn(containers, field);
    if (!isSent) return problemOf(`${field} is required`, field);
    // A message can name a part of the field, such as `allowedCountries[1]`.
    const { path } = problemOf(fault);
    return problemOf(fault, path === '' ? field : path);
  });
  return faulty(problems);
}

/** What {@link checkedByLibrary} does, in a third of the time. */
function checked<T extends object>(
  cls: new () => T,
  checks: readonly OwnCheck[],
  scalars: Record<string, unknown>,
  containers: Record<string, unknown>,
): [T, Faults] {
  const value: T & Record<string, unknown> = Object.assign(new cls(), scalars, containers);
  const faults: Faults = [];
  for (const { field, rule, isOptional } of checks) {
    if (rule.read !== undefined && Object.hasOwn(scalars, field)) {
      Object.assign(value, { [field]: rule.read(scalars[field]) });
    }
    const one = value[field];
    if (isOptional && (one === undefined || one === null)) continue;
    const fault = rule.fault(one);
    if (fault !== null) faults.push([field, faultMessage(fault, field)]);
  }
  return [value, faults];
}

function checkedByLibrary<T extends object>(
  cls: new () => T,
  scalars: Record<string, unknown>,
  containers: Record<string, unknown>,
): [T, Faults] {
  const value = Object.assign(plainToInstance(cls, scalars), containers);
  const faults = validateSync(value, OPTIONS).map(({ property: field, constraints = {} }) => {
    const [fault = `${field} is not valid`] = Object.values(constraints);
    return [field, fault] as const;
  });
  return [value, faults];
}

/** The fields that `cls` declares, in their order. @throws Error if there are none. */
export function declaredFields(cls: new () => object): readonly string[] {
  return declarationOf(cls).fields;
}

function declarationOf(cls: new () => object): Declared {
  let known = declared.get(cls);
  if (known === undefined) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(cls, '', false, false);
    const fields = [...new Set(rules.map((rule) => rule.propertyName))];
    if (fields.length === 0) throw new Error(`${cls.name} declares no validated fields`);
    const own = fields.map((field) =>
      ownCheckOf(
        cls,
        field,
        rules.filter((rule) => rule.propertyName === field),
      ),
    );
    known = { fields, own: own.every((check) => check !== null) ? own : null };
    declared.set(cls, known);
  }
  return known;
}

function ownCheckOf(
  cls: new () => object,
  field: string,
  names: readonly { name?: string }[],
): OwnCheck | null {
  const [rule, ...more] = fieldRulesOf(cls.prototype as object, field);
  if (rule === undefined || more.length > 0) return null;
  const others = names.filter(({ name }) => name !== rule.name);
  if (others.some(({ name }) => name !== IS_OPTIONAL)) return null;
  return { field, rule, isOptional: others.length > 0 };
}
