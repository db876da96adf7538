import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The id of a contact in another system. The index is built concurrently, so outside a transaction. */
export class ExternalIds1764410000000 implements MigrationInterface {
  name = 'ExternalIds1764410000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    // A failed run may have left the column, and an invalid index.
    await db.query('ALTER TABLE contacts ADD COLUMN IF NOT EXISTS external_id text');
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS uq_contacts_external_id');
    await db.query(
      `CREATE UNIQUE INDEX CONCURRENTLY uq_contacts_external_id ON contacts (team_id, external_id)
        WHERE external_id IS NOT NULL`,
    );
  }

  /** For a stopped deployment. The index goes with the column. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE contacts DROP COLUMN IF EXISTS external_id');
  }
}
