/** A start that cannot go on: the message names each bad variable and never shows a value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
