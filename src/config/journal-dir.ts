import { ConfigError } from './config-error.js';
import { readPart } from './config-part.js';
import { readFileVariables } from './file-variables.js';
import { checkJournal, JournalConfig } from './journal.config.js';

const NAMES = ['JOURNAL_DIR', 'JOURNAL_DAYS'];

/**
 * Loads the configuration of the journal, for commands.
 *
 * @param erasureKey the key that the journal needs.
 * @throws ConfigError naming the variable that is bad.
 */
export function loadJournal(
  erasureKey: string | undefined,
  outer: NodeJS.ProcessEnv = process.env,
): JournalConfig {
  const { env, problems } = readFileVariables(outer, NAMES);
  const present = Object.fromEntries(
    NAMES.flatMap((name) => (env[name] ? [[name, env[name]] as const] : [])),
  );
  const config = Object.assign(new JournalConfig(), readPart(JournalConfig, present, new Set(), problems));
  checkJournal({ ...config, erasureKey }, problems);
  const [problem] = problems.values();
  if (problem !== undefined) throw new ConfigError(`Invalid environment variables:\n  ${problem}`);
  return config;
}
