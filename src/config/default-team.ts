import { ConfigError } from './config-error.js';
import { readFileVariables } from './file-variables.js';

const NAME = 'OUTDIAL_TEAM';

/**
 * The id or name of the team that commands work on where `--team` is not given; undefined if none is set.
 *
 * @throws ConfigError for a file that cannot be read.
 */
export function loadDefaultTeam(outer: NodeJS.ProcessEnv = process.env): string | undefined {
  const { env, problems } = readFileVariables(outer, [NAME]);
  const problem = problems.get(NAME);
  if (problem !== undefined) throw new ConfigError(`Invalid environment variables:\n  ${problem}`);
  return env[NAME] || undefined;
}
