import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Which entry of its contact into the campaign an enrollment is. The index is built concurrently, so outside
 * a transaction. The unique key of (campaign, contact) stays for processes of the version before; the
 * function `allow_reentry` drops it before the first second entry.
 */
export class Reentry1764140100000 implements MigrationInterface {
  name = 'Reentry1764140100000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE enrollments ADD COLUMN IF NOT EXISTS entry integer NOT NULL DEFAULT 1');
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS uq_enrollments_entry');
    await db.query(
      'CREATE UNIQUE INDEX CONCURRENTLY uq_enrollments_entry ON enrollments (campaign_id, contact_id, entry)',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS allow_reentry');
    const found = (await db.query(
      `SELECT FROM pg_constraint WHERE conname = 'uq_enrollments_campaign_contact'`,
    )) as unknown[];
    // Refused where a contact has several.
    if (found.length === 0)
      await db.query(
        'ALTER TABLE enrollments ADD CONSTRAINT uq_enrollments_campaign_contact UNIQUE (campaign_id, contact_id)',
      );
    await db.query('ALTER TABLE enrollments DROP COLUMN entry');
  }
}
