import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createFunctions } from '../src/database/repeatable.js';

/** Whether a team accepts numbers in ranges that are not known. No team does, as before. */
export class UnknownRanges1764304000000 implements MigrationInterface {
  name = 'UnknownRanges1764304000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE teams ADD COLUMN accept_unknown_ranges boolean NOT NULL DEFAULT false');
    // It returns more. Processes of the version before read the columns that they know.
    await db.query('DROP FUNCTION IF EXISTS take_import');
    await createFunctions(db, ['take_import']);
  }

  async down(db: QueryRunner): Promise<void> {
    // The run of the version before creates its own.
    await db.query('DROP FUNCTION IF EXISTS take_import');
    await db.query('ALTER TABLE teams DROP COLUMN accept_unknown_ranges');
  }
}
