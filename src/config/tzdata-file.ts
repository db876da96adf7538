import { ConfigError } from './config-error.js';
import { readPart } from './config-part.js';
import { DialingConfig } from './dialing.config.js';
import { readFileVariables } from './file-variables.js';

const NAME = 'TZDATA_FILE';

/**
 * The path of the file with newer zone data, for commands; undefined if none is set.
 *
 * @throws ConfigError naming the variable that is bad.
 */
export function loadTzdataFile(outer: NodeJS.ProcessEnv = process.env): string | undefined {
  const { env, problems } = readFileVariables(outer, [NAME]);
  const present: Record<string, string> = env[NAME] ? { [NAME]: env[NAME] } : {};
  const { tzdataFile } = readPart(DialingConfig, present, new Set(['CARRIER']), problems);
  const [problem] = problems.values();
  if (problem !== undefined) throw new ConfigError(`Invalid environment variables:\n  ${problem}`);
  return tzdataFile;
}
