import { readPart } from './config-part.js';
import { readFileVariables } from './file-variables.js';
import { checkSecretsKeys, OperationsConfig } from './operations.config.js';
import { throwFor } from './problems.js';

const NAMES = ['SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'];

/**
 * The keys of sealed secrets for commands.
 *
 * @throws ConfigError naming each of the variables that is bad.
 */
export function loadSecretsKeys(
  outer: NodeJS.ProcessEnv = process.env,
): Pick<OperationsConfig, 'secretsKey' | 'secretsKeyPrevious'> {
  const { env, problems } = readFileVariables(outer, NAMES);
  const set = Object.fromEntries(NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const config = readPart(OperationsConfig, set, new Set(), problems);
  checkSecretsKeys(config, problems);
  throwFor(new Map([...problems].filter(([name]) => NAMES.includes(name))), NAMES);
  const { secretsKey, secretsKeyPrevious } = config;
  return { secretsKey, secretsKeyPrevious };
}
