import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * To which version the live enrollments of a version are being moved. The table is small: one row a version.
 */
export class VersionMigration1764140200000 implements MigrationInterface {
  name = 'VersionMigration1764140200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE campaign_versions ADD COLUMN migrates_to uuid');
    await db.query(
      'CREATE INDEX ix_campaign_versions_migrating ON campaign_versions (campaign_id) WHERE migrates_to IS NOT NULL',
    );
    await db.query('GRANT UPDATE (migrates_to) ON campaign_versions TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    // The functions of today name the column.
    await db.query('DROP FUNCTION IF EXISTS find_migrating_versions, take_due_enrollments');
    await db.query('REVOKE UPDATE (migrates_to) ON campaign_versions FROM outdial_app');
    await db.query('ALTER TABLE campaign_versions DROP COLUMN migrates_to');
  }
}
