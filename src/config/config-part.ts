import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { type Problems } from './problems.js';

/**
 * A class that declares environment variables. Each property has an `@Expose` with the variable's name,
 * decorators of class-validator, and a default where the variable may be unset.
 */
export interface ConfigPart<T extends object = object> {
  new (): T;
  /** For a variable, the other variables that it needs. */
  readonly needs?: Readonly<Record<string, readonly string[]>>;
}

/** The variables that a part declares, in the order of its properties. */
export function variablesOf(part: ConfigPart): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(part, '', false, false);
  return [...new Set(rules.map((rule) => environmentName(rule.propertyName)))];
}

/**
 * Reads one part. Its problems are added to `problems`, except for variables that already have a problem
 * there.
 *
 * @param optional required variables that the reader does not need.
 */
export function readPart<T extends object>(
  part: ConfigPart<T>,
  env: Record<string, string>,
  optional: ReadonlySet<string>,
  problems: Problems,
): T {
  const values = plainToInstance(part, env, { excludeExtraneousValues: true, exposeDefaultValues: true });
  for (const { property, value, constraints } of validateSync(values)) {
    const name = environmentName(property);
    if (problems.has(name) || (value === undefined && optional.has(name))) continue;
    // The validators' own messages begin with the property, and hold no values.
    const rules = Object.values(constraints ?? {}).map((message) => message.replace(`${property} `, ''));
    problems.set(name, problemOf(name, value, rules.join(', ')));
  }
  return values;
}

export function problemOf(name: string, value: unknown, rules: string): string {
  return `${name}: ${value === undefined ? 'is not set; ' : ''}${rules}`;
}

/** Whether a variable is set, or has a default. */
export function isSet(config: object, name: string): boolean {
  return (config as Record<string, unknown>)[propertyName(name)] !== undefined;
}

/** `DATABASE_URL` → `databaseUrl`. */
export function propertyName(name: string): string {
  return name.toLowerCase().replace(/_./g, (pair) => pair.charAt(1).toUpperCase());
}

/** `databaseUrl` → `DATABASE_URL`. */
function environmentName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
