import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Serves the list of contacts that were changed since an instant. Built concurrently, so outside a
 * transaction.
 */
export class ChangedContacts1764280000000 implements MigrationInterface {
  name = 'ChangedContacts1764280000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    // One that a failed run left is invalid.
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_contacts_changed');
    // Of contacts that are not erased, so that no plan of a look-up by number can read it.
    await db.query(
      'CREATE INDEX CONCURRENTLY ix_contacts_changed ON contacts (team_id, updated_at) WHERE erased_at IS NULL',
    );
  }

  /** For a stopped deployment. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS ix_contacts_changed');
  }
}
