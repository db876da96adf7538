import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The window of a triggered call. Processes of the previous version store calls without one. */
export class CallWindow1764500000000 implements MigrationInterface {
  name = 'CallWindow1764500000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE call_requests ADD COLUMN not_before timestamptz, ADD COLUMN not_after timestamptz',
    );
    // It returns these columns from now on, and a function's columns cannot be replaced.
    await db.query('DROP FUNCTION IF EXISTS find_calls_of_zones');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS find_calls_of_zones');
    await db.query('ALTER TABLE call_requests DROP COLUMN not_before, DROP COLUMN not_after');
  }
}
