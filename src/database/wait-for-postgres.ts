import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from './database-errors.js';

const RETRY_MS = 1_000;

/**
 * Runs a check at the start of a process. While Postgres is unavailable, the check is repeated each second.
 *
 * @param what names the check for the log, such as `check ERASURE_KEY`.
 * @throws any other error at once.
 */
export async function waitForPostgres<T>(logger: Logger, what: string, check: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      logger.warn(`Postgres is away: waiting to ${what}`);
      await pause(RETRY_MS);
    }
  }
}
