import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createTriggerFunctions } from '../src/database/repeatable.js';

/**
 * The schema of 1.0: `1764400000000-baseline.sql`, and the role of the processes. Row-level security shows this
 * role only the rows of the teams that its transaction has set (docs/decisions/row-level-security.md).
 */
export class Baseline1764400000000 implements MigrationInterface {
  name = 'Baseline1764400000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(MAKE_ROLE);
    await db.query(TAKE_ROLE);
    await createTriggerFunctions(db);
    await db.query(readFileSync(join(__dirname, '1764400000000-baseline.sql'), 'utf8'));
  }

  /** There is nothing before it, and it would delete all data. */
  down(): Promise<void> {
    return Promise.reject(new Error('The first migration is not reverted: drop the database instead'));
  }
}

const REFUSED = `RAISE insufficient_privilege USING MESSAGE = format(
      'Row-level security needs the role outdial_app, which %I may not make. Let an administrator run: '
      'CREATE ROLE outdial_app NOLOGIN; GRANT outdial_app TO %I; then migrate again', current_user, current_user)`;

// Roles belong to the whole cluster, and another database may be migrated at the same time: the second
// migration waits for the first, and finds the role.
const MAKE_ROLE = `DO $$
  DECLARE found pg_roles;
  BEGIN
    SELECT * INTO found FROM pg_roles WHERE rolname = 'outdial_app';
    IF found.rolsuper OR found.rolbypassrls THEN
      RAISE EXCEPTION 'The role outdial_app passes over row-level security; let an administrator run: '
        'ALTER ROLE outdial_app NOSUPERUSER NOBYPASSRLS';
    ELSIF found.rolname IS NULL THEN
      CREATE ROLE outdial_app NOLOGIN;
    END IF;
  EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN ${REFUSED};
  END $$`;

const TAKE_ROLE = `DO $$
  BEGIN
    IF NOT pg_has_role('outdial_app', 'SET') THEN
      GRANT outdial_app TO CURRENT_USER;
    END IF;
  EXCEPTION
    -- Granted at this moment by another database's migration; the last of these is "tuple concurrently updated".
    WHEN unique_violation OR internal_error THEN
      IF NOT pg_has_role('outdial_app', 'SET') THEN RAISE; END IF;
    WHEN insufficient_privilege THEN ${REFUSED};
  END $$`;
