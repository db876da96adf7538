import { violatedConstraint } from '../database/database-errors.js';
import { UNIQUE_EXTERNAL_ID } from './sql/external-id.sql.js';

/** Whether a statement failed because another contact of the team has the external id. */
export function isTaken(error: unknown): boolean {
  return violatedConstraint(error) === UNIQUE_EXTERNAL_ID;
}

const ATTEMPTS = 3;

/**
 * Runs a transaction again if a concurrent one has stored its external id. The next attempt finds the contact of
 * the external id.
 */
export async function afterConcurrent<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isTaken(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
