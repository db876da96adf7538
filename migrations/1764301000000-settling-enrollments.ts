import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Separates what needs no concurrency slot from the dials of enrollments: `settle_at` is the next instant of the
 * former, and `dial_rank` sorts the latter. The versions before read neither of them.
 */
export class SettlingEnrollments1764301000000 implements MigrationInterface {
  name = 'SettlingEnrollments1764301000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE enrollments ADD COLUMN settle_at timestamptz, ADD COLUMN dial_rank smallint NOT NULL DEFAULT '2'`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE enrollments DROP COLUMN settle_at, DROP COLUMN dial_rank');
  }
}
