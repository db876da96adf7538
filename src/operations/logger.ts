import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import { type Config } from '../config/config.js';

const LEVELS: LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Lines of JSON in production, readable ones elsewhere, from the configured level up. */
export function loggerFor(config: Config): ConsoleLogger {
  const lowest = { info: 'log', trace: 'verbose' }[config.logLevel] ?? config.logLevel;
  const count = LEVELS.findIndex((level) => level === lowest) + 1;
  return new ConsoleLogger({ json: config.nodeEnv === 'production', logLevels: LEVELS.slice(0, count) });
}
