import 'reflect-metadata';
import { ConfigError } from '../../../src/config/config-error.js';
import { loadConfig } from '../../../src/configuration.js';

/** The message with which this environment is refused. */
export function refusal(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the configuration was accepted');
}

/** The variables that a message names, each at the start of a line. */
export const namedIn = (message: string) =>
  [...message.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
