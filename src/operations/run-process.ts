import { type LoggerService } from '@nestjs/common';
import { ConfigError } from '../config/config.js';
import { describeError } from '../http/describe-error.js';
import { scrub } from '../telemetry/scrub.js';

/** Runs a process's start; one that cannot start says why in plain words and exits with 1. */
export function runProcess(start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    const text =
      error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${scrub(text ?? '')}\n`);
    process.exit(1);
  });
}

/** What Node itself prints of an uncaught error has every property of it, and Postgres puts rows into them. */
export function logUncaught(logger: LoggerService): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal?.(`${event}: ${describeError(error)}`, 'Process');
      process.exit(1);
    });
  }
}
