import { InitialSchema1763700000000 } from '../../migrations/1763700000000-initial-schema.js';
import { IdempotencyKeys1763710000000 } from '../../migrations/1763710000000-idempotency-keys.js';
import { SweeperRuns1763740000000 } from '../../migrations/1763740000000-sweeper-runs.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  InitialSchema1763700000000,
  IdempotencyKeys1763710000000,
  SweeperRuns1763740000000,
];

/** The names by which Postgres keeps them once they ran. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map((migration) => migration.name);
