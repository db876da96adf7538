import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Serves the list of a campaign's enrollments in one state. Built without keeping writers out, which no
 * transaction can do.
 */
export class EnrollmentsByStatus1764110200000 implements MigrationInterface {
  name = 'EnrollmentsByStatus1764110200000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_enrollments_status');
    await db.query(
      'CREATE INDEX CONCURRENTLY ix_enrollments_status ON enrollments (campaign_id, status, contact_id)',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS ix_enrollments_status');
  }
}
