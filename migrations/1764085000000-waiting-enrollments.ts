import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The index of the list of a campaign's enrollments by `waitingFor`. It is built concurrently, so outside a
 * transaction. An index that a failed run left invalid is dropped first.
 */
export class WaitingEnrollments1764085000000 implements MigrationInterface {
  name = 'WaitingEnrollments1764085000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_enrollments_waiting');
    await db.query(
      `CREATE INDEX CONCURRENTLY ix_enrollments_waiting ON enrollments (campaign_id, waiting_for, contact_id)
       WHERE waiting_for IS NOT NULL`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS ix_enrollments_waiting');
  }
}
