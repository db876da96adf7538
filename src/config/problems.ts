import { ConfigError } from './config-error.js';

/**
 * What is wrong with the environment: a sentence for each variable, which begins with the variable's name.
 */
export type Problems = Map<string, string>;

/** @throws ConfigError naming every variable that has a problem, in the order of `names`. */
export function throwFor(problems: Problems, names: readonly string[]): void {
  if (problems.size === 0) return;
  const sorted = [...problems].sort(([a], [b]) => names.indexOf(a) - names.indexOf(b));
  const lines = sorted.map(([, problem]) => problem);
  throw new ConfigError(`Invalid environment variables:\n  ${lines.join('\n  ')}`);
}
