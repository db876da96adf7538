import { ConfigError } from '../config/config.js';

/** Runs a process's start; one that cannot start says why in plain words and exits with 1. */
export function runProcess(start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    const text =
      error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}
