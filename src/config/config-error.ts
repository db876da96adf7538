/**
 * The process cannot start with its configuration. The message names each bad variable and never shows its
 * value.
 */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
