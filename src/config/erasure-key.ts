import { ConfigError } from './config-error.js';
import { readPart } from './config-part.js';
import { readFileVariables } from './file-variables.js';
import { OperationsConfig } from './operations.config.js';

const NAME = 'ERASURE_KEY';

/**
 * The key of erased numbers for commands, or undefined.
 *
 * @throws ConfigError naming the variable when it is bad.
 */
export function loadErasureKey(outer: NodeJS.ProcessEnv = process.env): string | undefined {
  const { env, problems } = readFileVariables(outer, [NAME]);
  const key = env[NAME] || undefined;
  if (key === undefined && !problems.has(NAME)) return undefined;
  const { erasureKey } = readPart(OperationsConfig, { [NAME]: key ?? '' }, new Set(), problems);
  const problem = problems.get(NAME);
  if (problem !== undefined) throw new ConfigError(`Invalid environment variables:\n  ${problem}`);
  return erasureKey;
}
